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
    const withdrawal_id = await whoseIs(office, hash);
    note(
      withdrawal_id === null ? await acceptStray(deps, hash) : await assignStray(deps, hash, withdrawal_id),
    );
  }
  const lanes = await ask('select account from lanes where trouble is not null order by account');
  for (const { account } of lanes) note(await acceptLane(deps, account).catch((error) => `${error}`));
}

/** The waiting withdrawal that the transaction pays: the same body under the same key. */
async function whoseIs({ ask, calls, transactions }: Office, hash: string): Promise<string | null> {
  const payment = transactions.find((transaction) => transaction.hash === hash)?.payments[0];
  const serial = payment && serialOf(payment.amount_stroops);
  const order: Order | undefined = calls.find((call) => call.order.serial === serial)?.order;
  if (!order) return null;
  const sql =
    "select id from withdrawals where wallet_id = $1 and idempotency_key = $2 and amount_stroops = $3 and status in ('queued', 'signed')";
  const rows = await ask(sql, [order.wallet_id, order.key, order.amount_stroops]);
  return rows[0]?.id ?? null;
}
