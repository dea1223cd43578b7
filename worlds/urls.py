"""Addresses of the worlds app."""

from __future__ import annotations

from django.urls import path

from worlds.views import certificates, corpora, exports, instances, rechecks, reviews, trials

app_name = "worlds"

_INSTANCE = "corpora/<slug:slug>/<slug:sample_id>/"

urlpatterns = [
    path("corpora/", corpora.corpus_list, name="corpus_list"),
    path("corpora/new/", corpora.corpus_create, name="corpus_create"),
    path("corpora/<slug:slug>/", corpora.corpus_detail, name="corpus_detail"),
    path("corpora/<slug:slug>/forge/", corpora.corpus_forge, name="corpus_forge"),
    path("corpora/<slug:slug>/export/", exports.corpus_export, name="corpus_export"),
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
    path("review/", reviews.review_queue, name="review_queue"),
    path("review/next/", reviews.review_next, name="review_next"),
    path("review/corpus/<slug:slug>/", reviews.review_corpus, name="review_corpus"),
    path("review/corpus/<slug:slug>/assign/", reviews.review_assign, name="review_assign"),
    path("review/<int:item_id>/", reviews.review_item, name="review_item"),
    path("review/<int:item_id>/decide/", reviews.review_decide, name="review_decide"),
    path("review/<int:item_id>/comment/", reviews.review_comment, name="review_comment"),
    path("review/<int:item_id>/skip/", reviews.review_skip, name="review_skip"),
    path("review/<int:item_id>/lock/", reviews.review_lock, name="review_lock"),
]
