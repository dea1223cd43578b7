"""Addresses of the sign-in pages."""

from __future__ import annotations

from django.urls import path

from enigmaforge_site.signin import views

urlpatterns = [
    path("sign-in/", views.sign_in, name="sign_in"),
    path("sign-in/<str:secret>/", views.sign_in_confirm, name="sign_in_confirm"),
    path("sign-out/", views.sign_out, name="sign_out"),
]
