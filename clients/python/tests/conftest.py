from __future__ import annotations

from collections.abc import Iterator

import pytest
from service import DESTINATION, Service, demo_login, started

from stellar_teller import TellerClient, new_idempotency_key


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    """One service for all tests, with a funded wallet."""
    with started() as (url, data_dir):
        login = demo_login(data_dir)
        with TellerClient(url) as stranger:
            token = stranger.auth.login(**login)["token"]
        with TellerClient(url, token=token) as client:
            wallet = client.wallets.create(name="Main")
            # Two first payments at the same time would both create the account, and one of them fails.
            made = client.withdrawals.withdraw_and_wait(
                wallet["id"],
                destination=DESTINATION,
                amount_stroops=50_000_000,
                idempotency_key=new_idempotency_key(),
            )
            assert made["status"] == "confirmed"
        assert wallet["api_key"]
        yield Service(url, token, login["password"], wallet["id"], wallet["api_key"])


@pytest.fixture
def teller(service: Service) -> Iterator[TellerClient]:
    """Logged in."""
    with TellerClient(service.url, token=service.token) as client:
        yield client


@pytest.fixture
def integration(service: Service) -> Iterator[TellerClient]:
    """With the API key of the wallet."""
    with TellerClient(service.url, api_key=service.api_key) as client:
        yield client
