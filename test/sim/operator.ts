/** The person who looks after the service: compares unmatched transactions with the orders, and transaction sources with the ledger, and says how to go on. */

import { createWalletAccess } from '../../src/wallets/access.ts';
import { createClaims } from '../../src/withdrawals/engine/claims.ts';
import type { EngineDeps } from '../../src/withdrawals/engine/hooks.ts';
import { acceptTxSource } from '../../src/withdrawals/operator/tx-sources.ts';
import { acceptUnmatched, assignUnmatched } from '../../src/withdrawals/operator/unmatched.ts';
import { refundDeposit } from '../../src/withdrawals/request/refund.ts';
import { type Call, serialOf } from '../oracle/evidence.ts';
import { type AppliedTransaction, refundIn } from '../oracle/ledger.ts';
import type { Order } from '../oracle/order.ts';
import type { PayoutUpload } from '../oracle/payout-evidence.ts';
import { on } from '../support/acting.ts';

export type Office = {
  deps: EngineDeps;
  /** A look into the database. */
  ask: (sql: string, values?: unknown[]) => Promise<any[]>;
  /** What customers say that they have asked for. */
  calls: Call[];
  uploads: PayoutUpload[];
  transactions: AppliedTransaction[];
  note: (what: string) => void;
};

/** An older copy may show a paid withdrawal as one that awaits approvals. */
const WAITING = ['awaiting_approval', 'queued', 'signed'];

/** Resolves everything that waits for a person. */
export async function lookAfter(office: Office): Promise<void> {
  const { ask, deps, note, transactions } = office;
  const unmatched = await ask(
    'select hash, wallet_id from unmatched_transactions where resolved_at is null order by ledger, hash',
  );
  for (const { hash, wallet_id } of unmatched) {
    const transaction = transactions.find((one) => one.hash === hash);
    if (transaction && refundIn(transaction)) {
      await checkRefund(office, transaction, wallet_id);
      continue;
    }
    const order = orderOf(office, hash);
    const withdrawal_id = order && (await waitingFor(office, order));
    if (withdrawal_id) note(await assignUnmatched(deps, hash, withdrawal_id));
    // Whose key the database forgot may ask with it again: the transaction tells that it was paid.
    else note(await acceptUnmatched(deps, hash));
  }
  const tx_sources = await ask(
    'select account from tx_sources where blocked_reason is not null order by account',
  );
  for (const { account } of tx_sources)
    note(await acceptTxSource(deps, account).catch((error) => `${error}`));
}

const ABSENT = {
  waitFor: async () => false,
  start() {},
  signSoon() {},
  checkOutcomes() {},
  stop: async () => undefined,
};

/** As the runbook says: a refund that the copy has forgotten is asked for again, and the transaction assigned to it. */
async function checkRefund(
  { ask, deps, note }: Office,
  transaction: AppliedTransaction,
  wallet_id: string,
): Promise<void> {
  const { hash, successful, payments } = transaction;
  const refunded = `wallet_id = $1 and stellar_tx_hash = $2 and source_account = $3 and amount_stroops = $4
    and coalesce(asset_code || ':' || asset_issuer, 'native') = $5`;
  const [payment] = payments;
  const { destination, amount_stroops, asset } = payment ?? {};
  const values = [wallet_id, refundIn(transaction), destination, amount_stroops, asset];
  const deposits = await ask(`select id, attributed from deposits where ${refunded} order by id`, values);
  if (deposits.length === 0) return; // the ledgers are being read again, and have it
  const refunds = await ask(
    `select refund_of, id, status from withdrawals where status <> 'failed'
        and refund_of in (select id from deposits where ${refunded}) order by id`,
    values,
  );
  const waiting = refunds.find(({ status }) => WAITING.includes(status));
  if (waiting) return note(await assignUnmatched(deps, hash, waiting.id));
  const free = deposits.find(
    ({ id, attributed }) => !attributed && !refunds.some(({ refund_of }) => refund_of === id),
  );
  if (!successful || !free) return note(await acceptUnmatched(deps, hash));
  const wallet = await createWalletAccess(deps.db)({ kind: 'api_key', wallet_id }, wallet_id);
  const parts = { claims: createClaims(deps), engine: ABSENT };
  await refundDeposit(deps, parts, on(wallet), free.id).catch((error) => note(`${error}`));
}

/** What the transaction pays. */
function orderOf({ calls, uploads, transactions }: Office, hash: string): Order | undefined {
  const payment = transactions.find((transaction) => transaction.hash === hash)?.payments[0];
  const serial = payment && serialOf(payment.amount_stroops);
  const ordered = [...calls.map(({ order }) => order), ...uploads.flatMap(({ file }) => file.rows)];
  return ordered.find((order) => order.serial === serial);
}

/** The same body under the same key, or that of a retry. */
async function waitingFor({ ask }: Office, order: Order): Promise<string | undefined> {
  const sql = `select id from withdrawals where wallet_id = $1 and amount_stroops = $3 and status = any($4)
        and (idempotency_key = $2 or idempotency_key like $2 || '·retry%') order by idempotency_key desc`;
  const rows = await ask(sql, [order.wallet_id, order.key, order.amount_stroops, WAITING]);
  return rows[0]?.id;
}
