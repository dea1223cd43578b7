"""Addresses of the worlds app."""

from __future__ import annotations

from django.urls import path

from worlds.views import certificates, corpora, instances, rechecks, trials

app_name = "worlds"

_INSTANCE = "corpora/<slug:slug>/<slug:sample_id>/"

urlpatterns = [
    path("corpora/", corpora.corpus_list, name="corpus_list"),
    path("corpora/new/", corpora.corpus_create, name="corpus_create"),
    path("corpora/<slug:slug>/", corpora.corpus_detail, name="corpus_detail"),
    path("corpora/<slug:slug>/forge/", corpora.corpus_forge, name="corpus_forge"),
    path("corpora/<slug:slug>/survey/", corpora.corpus_survey, name="corpus_survey"),
    path(_INSTANCE, instances.instance_detail, name="instance_detail"),
    path(_INSTANCE + "prompt.txt", instances.instance_prompt, name="instance_prompt"),
    path(_INSTANCE + "instance.json", instances.instance_json, name="instance_json"),
    path(_INSTANCE + "certificate.json", instances.certificate_json, name="certificate_json"),
    path(_INSTANCE + "proof.cnf", instances.proof_cnf, name="proof_cnf"),
    path(_INSTANCE + "proof.drat", instances.proof_drat, name="proof_drat"),
    path(_INSTANCE + "certificate/", certificates.certificate_detail, name="certificate_detail"),
    path(_INSTANCE + "recheck/<slug:engine>/", rechecks.recheck, name="recheck"),
    path("try/", trials.trial, name="trial"),
    path("try/<int:trial_id>/<slug:sample_id>.json", trials.trial_json, name="trial_json"),
]
