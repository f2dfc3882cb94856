/** A withdrawal that is refused keeps nothing: the same check for every file that asks for refusals. */
import assert from 'node:assert/strict';
import type { Answer } from './api.ts';
import { type RunningService, unique, type Wallet } from './running-service.ts';
import type { TestService } from './service.ts';

/** Refused, as `check` says: no row has the key, and nothing was paid. */
export async function assertRefused(
  world: RunningService,
  wallet: Wallet,
  {
    body,
    check,
    service = world.service,
  }: {
    body: object;
    check: (answer: Answer) => void;
    service?: TestService | undefined;
  },
): Promise<void> {
  const balance = async () => (await world.ledger.account(wallet.account))?.balance ?? 0n;
  const key = unique('key');
  const before = await balance();
  const path = `/v1/wallets/${wallet.id}/withdraw`;
  const headers = { 'idempotency-key': key };
  check(await service.api('POST', path, { token: world.token, body, headers }));
  const rows = await world.query('select id from withdrawals where idempotency_key = $1', [key]);
  assert.deepEqual(rows, []);
  assert.equal(await balance(), before);
}
