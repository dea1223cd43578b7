"""Sign in with a one-time link, sign out again.

Opening the link shows a button and changes nothing; pressing it uses the link up. So programs that
fetch a link before a person does (previews, scanners, a browser that reads ahead) do not spend it,
and no other site can sign a visitor in. The address holds the secret; the site-wide referrer policy
keeps it from other sites.
"""

from __future__ import annotations

from django.contrib.auth import login, logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from enigmaforge_site.signin import next_page, services

__all__ = ["sign_in", "sign_in_confirm", "sign_out"]

_BACKEND = "django.contrib.auth.backends.ModelBackend"


@require_safe
@never_cache
def sign_in(request: HttpRequest) -> HttpResponse:
    """Say where the link is; remember the page that asked for it."""
    if request.user.is_authenticated:
        return redirect(next_page.safe(request.GET.get("next")))
    target = request.GET.get("next")
    leads_on = bool(target) and next_page.safe(target) == target
    response = render(request, "pages/sign_in.html", {"leads_on": leads_on})
    next_page.keep(request, response)
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sensitive_variables("secret")
def sign_in_confirm(request: HttpRequest, secret: str) -> HttpResponse:
    """Show the button on GET; sign in on POST."""
    if request.method == "POST" and (user := services.redeem(secret)):
        login(request, user, backend=_BACKEND)
        response: HttpResponse = redirect(next_page.recall(request))
        next_page.forget(response)
    elif request.method != "POST" and services.is_open(secret):
        response = render(request, "signin/sign_in_confirm.html")
    elif request.user.is_authenticated:
        # The link was used a moment ago, by this very person: a reload, or the back button.
        response = redirect(next_page.recall(request))
    else:
        response = render(request, "signin/sign_in_dead.html", status=410)
    return response


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End the session, and have the browser drop the pages it kept of it."""
    logout(request)
    response = redirect("sign_in")
    response.headers["Clear-Site-Data"] = '"cache"'
    return response
