"""Pays orders once each, whatever crashes: `API_URL=… CLIENT_ID=… CLIENT_SECRET=… WALLET=wal_… python payer.py`.

The key of a payment is kept before it is used. A payer that dies begins again with the same keys, and nobody is paid
twice.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from contextlib import closing

from stellar_teller import (
    ServiceUser,
    TellerClient,
    TellerError,
    new_idempotency_key,
)

ORDERS = """
create table if not exists orders (
  id integer primary key, destination text not null, amount_stroops integer not null,
  idempotency_key text not null unique, status text not null default 'open', stellar_tx_hash text
)
"""


def add_order(database: sqlite3.Connection, destination: str, amount_stroops: int) -> None:
    with database:
        database.execute(
            "insert into orders (destination, amount_stroops, idempotency_key) values (?, ?, ?)",
            (destination, amount_stroops, new_idempotency_key()),
        )


def pay_orders(database: sqlite3.Connection, client: TellerClient, wallet_id: str) -> None:
    """Pays every open order. One without a proven outcome stays open, and the next run asks for it again."""
    rows = database.execute(
        "select id, destination, amount_stroops, idempotency_key from orders where status = 'open'"
    ).fetchall()
    for id, destination, amount_stroops, key in rows:
        try:
            withdrawal = client.withdrawals.withdraw_and_wait(
                wallet_id,
                destination=destination,
                amount_stroops=amount_stroops,
                idempotency_key=key,
                deadline_seconds=120,
            )
        except TellerError as error:  # one wrong order must not hold up those after it
            print(f"order {id} stays open: {error}")
            continue
        with database:
            database.execute(
                "update orders set status = ?, stellar_tx_hash = ? where id = ?",
                (withdrawal["status"], withdrawal["stellar_tx_hash"], id),
            )
        print(f"order {id}: {withdrawal['status']} {withdrawal['stellar_tx_hash']}")


def main() -> None:
    user = ServiceUser(os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"])
    base_url = os.environ.get("API_URL", "http://127.0.0.1:3000")
    with (
        closing(sqlite3.connect("orders.sqlite")) as database,
        TellerClient(base_url, service_user=user) as client,
    ):
        database.execute(ORDERS)
        if len(sys.argv) == 3:  # python payer.py DESTINATION AMOUNT_STROOPS adds an order
            add_order(database, sys.argv[1], int(sys.argv[2]))
        pay_orders(database, client, os.environ["WALLET"])


if __name__ == "__main__":
    main()
