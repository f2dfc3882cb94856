// What an integrator writes; it is only compiled, with and without the types of browsers and of Node.
import {
  isEvent,
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
export const verify: typeof verifyWebhook = verifyWebhook;
