"""Receives webhooks with FastAPI: `SIGNING_SECRET=whsec_… uvicorn receiver_fastapi:app`."""

from __future__ import annotations

import os

from crediting import credit_once, look_up
from fastapi import FastAPI, Request, Response

from stellar_teller import WebhookVerificationError, verify_webhook

app = FastAPI()
MAX_BODY_BYTES = 1_048_576  # the service sends less than a hundredth of it


@app.post("/hook")
async def hook(request: Request) -> Response:
    # The bytes as they arrived: a parsed body that is written again has another signature.
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MAX_BODY_BYTES:  # anybody may send, and FastAPI has no limit of its own
            return Response(status_code=413)
    try:
        delivery = verify_webhook(request.headers.items(), bytes(body), os.environ["SIGNING_SECRET"])
    except WebhookVerificationError as error:
        print(f"refused: {error.reason}")
        return Response(status_code=401)
    credit_once(delivery)
    return Response(status_code=204)


@app.get("/hook")
def handled(handled: str) -> dict[str, object]:
    """For `npx teller verify-receiver`."""
    return look_up(handled)
