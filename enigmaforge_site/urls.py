"""Addresses of the site. What a page is about stands in its app's `urls`."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from enigmaforge_site.pages import page, page_list
from worlds.views.corpora import home

handler400 = "enigmaforge_site.errors.bad_request"
handler403 = "enigmaforge_site.errors.permission_denied"
handler404 = "enigmaforge_site.errors.not_found"
handler500 = "enigmaforge_site.errors.server_error"

urlpatterns = [
    path("", home, name="home"),
    path("help/", page_list, name="page_list"),
    path("help/<slug:slug>/", page, name="page"),
    # The admin has no password form of its own: nobody has a password.
    path("admin/login/", RedirectView.as_view(pattern_name="sign_in", query_string=True)),
    path("admin/", admin.site.urls),
    path("", include("enigmaforge_site.signin.urls")),
    path("", include("enigmaforge_site.jobs.urls")),
    path("", include("worlds.urls")),
    path("", include("grading.urls")),
]
