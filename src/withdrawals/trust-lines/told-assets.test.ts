/** What `asset.changed` tells where the ledger cannot be read: what the change proves, never a guess, and no outcome waits for it. */
import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { on } from '../../../test/support/acting.ts';
import { type InProcessService, startInProcess } from '../../../test/support/in-process-service.ts';
import type { Deps } from '../../deps.ts';
import type { Wallet } from '../../wallets/access.ts';
import { registerEndpoint } from '../../webhooks/endpoints/endpoints.ts';
import type { Withdrawal } from '../engine/store.ts';
import { AssetResource } from './asset-schema.ts';
import { assetAfter, readLinesOf, showChangedLines } from './told-assets.ts';

let world: InProcessService;
let wallet: Wallet;
let issuer: string;

before(async () => {
  world = await startInProcess({ WEBHOOK_ALLOWED_HOSTS: 'receiver.test' });
  wallet = await world.wallet();
  issuer = (await world.wallet()).account;
  const order = { url: 'http://93.184.216.34/', description: null, events: ['asset.changed' as const] };
  await registerEndpoint(world.deps, on(wallet), order);
});
after(() => world.close());

const lineOf = (authorization: 'full' | 'maintain_liabilities' | 'none', ledger = 1) => ({
  wallet_id: wallet.id,
  asset_code: 'USDC',
  asset_issuer: issuer,
  authorization,
  ledger,
});

type ReadAccounts = Deps['stellar']['readAccounts'];
const reading = (readAccounts: ReadAccounts, clock = world.deps.clock): Deps => ({
  ...world.deps,
  clock,
  stellar: { ...world.deps.stellar, readAccounts },
});

/** A network that is away, one that never answers, and one that is behind the change. */
const unread = (): Record<string, Deps> => ({
  away: reading(() => Promise.reject(new Error('away'))),
  silent: reading(() => new Promise(() => {}), { ...world.deps.clock, sleep: async () => {} }),
  behind: reading(async (...asked) => {
    const answer = await world.deps.stellar.readAccounts(...asked);
    return { ...answer, latest: { ...answer.latest, sequence: 0 } };
  }),
});

const statusOf = (shown: object | undefined) => {
  const { status, issuer_flags, clawback_enabled, home_domain } = AssetResource.parse(shown);
  return { status, issuer_flags, clawback_enabled, home_domain };
};
const OF_THE_ISSUER = { issuer_flags: null, clawback_enabled: true, home_domain: null };

test('a change by others shows the authorization that its transaction gave', async () => {
  for (const [name, deps] of Object.entries(unread()))
    for (const [authorization, status] of [
      ['full', 'active'],
      ['maintain_liabilities', 'maintain_liabilities'],
      ['none', 'unauthorized'],
    ] as const) {
      const [shown] = await showChangedLines(deps, [lineOf(authorization)]);
      assert.deepEqual(statusOf(shown), { status, ...OF_THE_ISSUER }, name);
    }
});

test('an outcome shows what it proves, and stays pending or removing where it proves nothing', async () => {
  for (const [name, deps] of Object.entries(unread()))
    for (const [operation, status, expected] of [
      ['add_trust_line', 'confirmed', 'pending'],
      ['add_trust_line', 'failed', 'failed'],
      ['remove_trust_line', 'confirmed', 'absent'],
      ['remove_trust_line', 'failed', 'removing'],
    ] as const) {
      const change = {
        ...lineOf('full'),
        operation,
        status,
        settled_at: new Date(0),
        created_at: new Date(0),
        failure_code: status === 'failed' ? 'op_low_reserve' : null,
      } as unknown as Withdrawal;
      const shown = assetAfter(deps, change, change, await readLinesOf(deps, [change]));
      assert.deepEqual(statusOf(shown), { status: expected, ...OF_THE_ISSUER }, name);
      const { failure } = shown as { failure: { code: string } | null };
      assert.equal(failure?.code, expected === 'failed' ? 'op_low_reserve' : undefined);
    }
});

test('a wallet whose endpoints chose other events costs no request to the network', async () => {
  const other = await world.wallet();
  const deps = reading(() => assert.fail('asked'));
  const [shown] = await showChangedLines(deps, [{ ...lineOf('none'), wallet_id: other.id }]);
  assert.equal(statusOf(shown).status, 'unauthorized');
});
