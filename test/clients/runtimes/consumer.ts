// What an integrator writes; it is only compiled, with and without the types of browsers and of Node.
import {
  type EventBody,
  isEvent,
  knownEvent,
  NotPossibleError,
  newIdempotencyKey,
  TellerClient,
  type Withdrawal,
} from 'stellar-teller-client';
import { verifyWebhook } from 'stellar-teller-client/webhooks';
import { webhookHandler } from 'stellar-teller-client/webhooks/fetch';

const client = new TellerClient({ client_id: 'svu_1', client_secret: 'secret' });
const idempotency_key: string = newIdempotencyKey();

export async function pay(wallet_id: string): Promise<Withdrawal | null> {
  try {
    const order = { idempotency_key, destination: 'G…', amount_stroops: 150_000_000n };
    return await client.withdrawals.withdrawAndWait(wallet_id, order);
  } catch (error) {
    if (error instanceof NotPossibleError && error.code === 'policy_daily_limit') return null;
    throw error;
  }
}

export async function sum(wallet_id: string): Promise<bigint> {
  let total = 0n;
  for await (const deposit of client.deposits.list(wallet_id, { attributed: true }))
    total += deposit.amount_stroops;
  return total;
}

const to = { destination: 'G…', idempotency_key };
// @ts-expect-error A withdrawal needs a key.
void client.withdrawals.withdraw('wal_1', { destination: 'G…', amount_stroops: 1n });
// @ts-expect-error Amounts are bigint.
void client.withdrawals.withdraw('wal_1', { ...to, amount_stroops: 1 });
// @ts-expect-error A misspelt member must not send money without its memo.
void client.withdrawals.withdraw('wal_1', { ...to, amount_stroops: 1n, memoid: 1n });

export const handle = webhookHandler({ secret: 'whsec_…' }, (delivery) => {
  if (isEvent(delivery, 'deposit.created')) void (delivery.data.memo_id satisfies bigint | null);
});

// The compiler names an event that is forgotten here.
export function stroopsOf(body: EventBody): bigint {
  const known = knownEvent(body);
  if (known === null) return BigInt(String(body.data.amount ?? 0));
  switch (known.event) {
    case 'deposit.created':
    case 'deposit.unattributed':
      return known.data.amount_stroops;
    case 'withdrawal.confirmed':
    case 'withdrawal.failed':
    case 'withdrawal.awaiting_approval':
      return -known.data.amount_stroops;
    case 'payout.completed':
      return -(known.data.totals[0]?.amount_stroops ?? 0n);
    case 'asset.changed':
      return BigInt((known.data satisfies { asset_code: string }).asset_code.length);
    case 'endpoint.disabled':
      return BigInt(known.data.url.length);
    case 'ping':
    case 'deposit.test':
    case 'deposit.created.test':
    case 'deposit.unattributed.test':
    case 'withdrawal.confirmed.test':
    case 'withdrawal.failed.test':
    case 'withdrawal.awaiting_approval.test':
    case 'payout.completed.test':
    case 'asset.changed.test':
    case 'endpoint.disabled.test':
      return 0n;
    default:
      return known satisfies never;
  }
}
export function forgets(body: EventBody): void {
  const known = knownEvent(body);
  if (known === null || known.event === 'deposit.created') return;
  // @ts-expect-error There are other events that this version knows.
  void (known satisfies never);
}
export const verify: typeof verifyWebhook = verifyWebhook;
