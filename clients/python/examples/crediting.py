"""The memory of a receiver, in a SQLite file (`DATABASE`): it credits each event once. All receivers use it.

| what happens | what follows |
|---|---|
| an event comes again, in whichever process | its id is remembered: nothing happens |
| the credit fails, or the process dies before the commit | the id is not remembered: the event comes again |
| the process dies after the commit | the event comes again, and is known |

The id is `webhook-id`, which the signature covers; it does not cover `webhook-sequence`. Do the same in the database
that has your customers' balances.
"""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing

from stellar_teller import VerifiedWebhook

SCHEMA = """
-- test_body: the body of a test event, for its look-up
create table if not exists handled (event_id text primary key, test_body text);
create table if not exists credits (
  deposit_id text primary key, event_id text not null, metadata text, asset_code text not null, asset_issuer text,
  amount_stroops integer not null
);
"""
DATABASE = os.environ.get("DATABASE", "receiver.sqlite")
with closing(sqlite3.connect(DATABASE)) as made:
    made.executescript(SCHEMA)


def credit_once(delivery: VerifiedWebhook) -> None:
    """Remembers the event and credits its deposit, in one transaction.

    What it raises becomes a status of 500: no acknowledgement, so the service sends the delivery again.
    """
    with closing(sqlite3.connect(DATABASE)) as database, database:
        test_body = delivery.text if delivery.event.endswith(".test") else None
        remembered = database.execute(
            "insert into handled values (?, ?) on conflict do nothing", (delivery.id, test_body)
        )
        if remembered.rowcount == 0:
            return
        event = delivery.known
        if event is None or event["event"] != "deposit.created":
            return  # tests and events of later versions credit nobody
        deposit = event["data"]
        database.execute(
            "insert into credits values (?, ?, ?, ?, ?, ?)",
            (
                deposit["id"],
                delivery.id,
                deposit.get("metadata_text"),
                deposit["asset_code"],
                deposit["asset_issuer"],
                deposit["amount_stroops"],
            ),
        )
    print(f"credited {deposit['amount_stroops']} stroops of {deposit['asset_code']}")


def look_up(event_id: str) -> dict[str, object]:
    """The answer to `GET …?handled=evt_…`, which shows an exam what no status shows.

    It knows test events alone: a stranger who asks learns nothing of customers.
    """
    with closing(sqlite3.connect(DATABASE)) as database:
        row = database.execute(
            """
            select test_body, (select count(*) from credits where credits.event_id = handled.event_id)
            from handled where event_id = ? and test_body is not null
            """,
            (event_id,),
        ).fetchone()
    if row is None:
        return {"handled": 0}
    amount = json.loads(row[0])["data"].get("amount_stroops")
    return {"handled": 1, "credited": row[1], "amount_stroops": None if amount is None else str(amount)}
