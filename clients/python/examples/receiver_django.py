"""Receives webhooks with Django, in one file: `SIGNING_SECRET=whsec_… python receiver_django.py runserver`.

In a project of yours, take `hook` and its line of `urlpatterns`.
"""

from __future__ import annotations

import os
import sys

from crediting import credit_once, look_up
from django.conf import settings
from django.core.management import execute_from_command_line
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from stellar_teller import WebhookVerificationError, verify_webhook


@csrf_exempt  # the signature says where it comes from; without this line Django answers 403
@require_http_methods(["GET", "POST"])
def hook(request: HttpRequest) -> HttpResponse:
    if request.method == "GET":  # for `npx teller verify-receiver`
        return JsonResponse(look_up(request.GET.get("handled", "")))
    try:
        # The bytes as they arrived: a parsed body that is written again has another signature.
        delivery = verify_webhook(request.headers.items(), request.body, os.environ["SIGNING_SECRET"])
    except WebhookVerificationError as error:
        print(f"refused: {error.reason}")
        return HttpResponse(status=401)
    credit_once(delivery)
    return HttpResponse(status=204)


urlpatterns = [path("hook", hook)]

if not settings.configured:
    settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["localhost", "127.0.0.1"])
application = get_wsgi_application()

if __name__ == "__main__":
    execute_from_command_line(sys.argv)
