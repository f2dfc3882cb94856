/** The person who looks after the service: compares strays with the orders, and lanes with the ledger, and says how to go on. */
import type { Deps } from '../../src/deps.ts';
import { acceptLane } from '../../src/withdrawals/lanes.ts';
import { acceptStray, assignStray } from '../../src/withdrawals/strays.ts';
import { type Call, type Order, serialOf } from './evidence.ts';
import type { TrueTransaction } from './truth.ts';

export type Office = {
  deps: Deps;
  /** A look into the database. */
  ask: (sql: string, values?: unknown[]) => Promise<any[]>;
  /** What customers say that they have asked for. */
  calls: Call[];
  /** Keys that they will ask with again. */
  busy: Set<string>;
  transactions: TrueTransaction[];
  note: (what: string) => void;
};

/** Judges everything that waits for a person. */
export async function lookAfter(office: Office): Promise<void> {
  const { ask, deps, note } = office;
  const strays = await ask(
    'select hash from stray_transactions where judged_at is null order by ledger, hash',
  );
  for (const { hash } of strays) {
    const order = orderOf(office, hash);
    const withdrawal_id = order && (await waitingFor(office, order));
    if (withdrawal_id) note(await assignStray(deps, hash, withdrawal_id));
    // Whose key the database forgot may ask with it again: accepted before, it would be paid again.
    else if (!order || !office.busy.has(order.key)) note(await acceptStray(deps, hash));
  }
  const lanes = await ask('select account from lanes where trouble is not null order by account');
  for (const { account } of lanes) note(await acceptLane(deps, account).catch((error) => `${error}`));
}

/** What the transaction pays. */
function orderOf({ calls, transactions }: Office, hash: string): Order | undefined {
  const payment = transactions.find((transaction) => transaction.hash === hash)?.payments[0];
  const serial = payment && serialOf(payment.amount_stroops);
  return calls.find((call) => call.order.serial === serial)?.order;
}

/** The same body under the same key. */
async function waitingFor({ ask }: Office, order: Order): Promise<string | undefined> {
  const sql =
    "select id from withdrawals where wallet_id = $1 and idempotency_key = $2 and amount_stroops = $3 and status in ('queued', 'signed')";
  const rows = await ask(sql, [order.wallet_id, order.key, order.amount_stroops]);
  return rows[0]?.id;
}
