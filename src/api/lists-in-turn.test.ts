/** Which reads wait for the turn of their team. What a turn costs other teams: search-flood.test.ts. */
import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { type InProcessService, startInProcess } from '../../test/support/in-process-service.ts';
import { insertDeposits } from '../deposits/recorded/deposit-store.ts';
import type { HttpApp } from '../http/http-app.ts';
import { newId } from '../lib/ids.ts';
import type { Wallet } from '../wallets/access.ts';
import { insertPayout } from '../withdrawals/payouts/payout-store.ts';
import { buildApp } from './app.ts';

/** They are read from the network. */
const OF_THE_NETWORK = ['listBalances'];
/** They wait for the turn of a search. */
const SEARCHES = ['searchWallets'];
/** Lists in another form, and a read of many rows. */
const OTHERS = ['listEvents', 'explainTransaction'];

let world: InProcessService;
let wallet: Wallet;
let app: HttpApp;
/** The team of each turn that was taken. */
const turns: string[] = [];

before(async () => {
  world = await startInProcess();
  wallet = await world.wallet();
  const { readInTurn } = world.deps;
  const deps = {
    ...world.deps,
    readInTurn<T>(team_id: string, work: Parameters<typeof readInTurn<T>>[1]) {
      turns.push(team_id);
      return readInTurn(team_id, work);
    },
  };
  app = await buildApp(deps, {} as Parameters<typeof buildApp>[1]);
});
after(async () => {
  await app.close();
  await world.close();
});

const headers = { host: 'localhost' };

async function login(): Promise<Record<string, string>> {
  const payload = { email: 'owner@example.com', password: 'correct horse' };
  const answer = await app.inject({ method: 'POST', url: '/v1/auth/login', headers, payload });
  assert.equal(answer.statusCode, 200, answer.body);
  return { ...headers, authorization: `Bearer ${answer.json().data.token}` };
}

/** A deposit of the wallet; its id. */
async function deposited(): Promise<string> {
  const deposit = {
    id: newId('dep', new Date()),
    wallet_id: wallet.id,
    asset_code: 'native',
    amount_stroops: 1n,
    source_account: wallet.account,
    stellar_tx_hash: 'ab'.repeat(32),
    operation_index: 0,
    event_index: 0,
    kind: 'payment' as const,
    memo_type: 'none' as const,
    ledger: 1,
    attributed: false,
    created_at: new Date(),
    below_minimum: false,
  };
  await world.deps.db.transaction().execute((trx) => insertDeposits(trx, [deposit]));
  return deposit.id;
}

/** A payout of the wallet; its id. */
async function payoutId(): Promise<string> {
  const created_at = new Date();
  const payout = {
    id: newId('pay', created_at),
    wallet_id: wallet.id,
    owner_id: wallet.owner_id,
    name: 'Draft',
    retry_of: null,
    row_count: 1,
    rows_hash: 'ab'.repeat(32),
    created_by: wallet.owner_id,
    created_at,
  };
  await world.deps.db.transaction().execute((trx) => insertPayout(trx, payout));
  return payout.id;
}

async function endpointId(as: Record<string, string>): Promise<string> {
  const url = `/v1/wallets/${wallet.id}/webhooks`;
  const payload = { url: 'https://example.com/hook' };
  const answer = await app.inject({ method: 'POST', url, headers: as, payload });
  assert.equal(answer.statusCode, 201, answer.body);
  return answer.json().data.id;
}

test('every list is read in one turn of the team, and so is what the database knows of a transaction', async () => {
  const as = await login();
  const ids: Record<string, string> = {
    id: wallet.id,
    deposit_id: await deposited(),
    webhook_id: await endpointId(as),
    payout_id: await payoutId(),
    tx_hash: 'cd'.repeat(32),
  };
  const document = (await app.inject({ url: '/openapi.json', headers })).json();
  const reads = Object.entries<any>(document.paths).flatMap(([path, { get }]) =>
    get ? [{ path, ...get }] : [],
  );
  const lists = reads.filter(
    ({ operationId, responses }) =>
      OTHERS.includes(operationId) ||
      (JSON.stringify(responses[200]).includes('next_cursor') &&
        ![...OF_THE_NETWORK, ...SEARCHES].includes(operationId)),
  );
  assert.ok(lists.length > OTHERS.length);
  for (const { operationId, path } of lists) {
    const url = path.replace(/\{(\w+)\}/g, (_: string, name: string) => ids[name]);
    turns.length = 0;
    const answer = await app.inject({ url, headers: as });
    assert.equal(answer.statusCode, 200, `${operationId}: ${answer.body}`);
    assert.deepEqual(turns, [wallet.owner_id], operationId);
  }
});
