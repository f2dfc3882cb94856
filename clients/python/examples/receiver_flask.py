"""Receives webhooks with Flask: `SIGNING_SECRET=whsec_… flask --app receiver_flask run`."""

from __future__ import annotations

import os

from crediting import credit_once, look_up
from flask import Flask, request

from stellar_teller import WebhookVerificationError, verify_webhook

app = Flask(__name__)
app.config["MAX_CONTENT_LENGTH"] = (
    1_048_576  # anybody may send; the service sends less than a hundredth of it
)


@app.post("/hook")
def hook() -> tuple[str, int]:
    try:
        # The bytes as they arrived: a parsed body that is written again has another signature.
        delivery = verify_webhook(request.headers.items(), request.get_data(), os.environ["SIGNING_SECRET"])
    except WebhookVerificationError as error:
        print(f"refused: {error.reason}")
        return "", 401
    credit_once(delivery)
    return "", 204


@app.get("/hook")
def handled() -> dict[str, object]:
    """For `npx teller verify-receiver`."""
    return look_up(request.args.get("handled", ""))
