/** A backfill reads ledgers again from any source, credits missing deposits once, and closes a gap. */

import { strict as assert } from 'node:assert';
import { after, afterEach, before, test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { on } from '../../../test/support/acting.ts';
import {
  closingLedgers,
  type InProcessService,
  sendPayment,
  startInProcess,
  startNetwork,
} from '../../../test/support/in-process-service.ts';
import { startRpcProxy } from '../../../test/support/rpc-proxy.ts';
import { manualClock } from '../../../test/support/webhooks.ts';
import type { Deps } from '../../deps.ts';
import { readDepositCursor } from '../../ledgers/deposit-cursor.ts';
import { createStellar } from '../../stellar/sources/create-stellar.ts';
import type { Stellar } from '../../stellar/stellar.ts';
import type { Wallet } from '../../wallets/access.ts';
import { createAddress } from '../addresses/create-address.ts';
import { backfill } from './backfill.ts';
import { ingestDeposits } from './ingest-deposits.ts';

let world: InProcessService;
let wallet: Wallet;
const payer = Keypair.random();
const closes: (() => Promise<void>)[] = [];
const quiet = () => {};

before(async () => {
  world = await startInProcess({}, { faults: true });
  wallet = await world.wallet();
  await closingLedgers(world.sandbox, world.deps.stellar.fund(payer.publicKey()));
  await ingestAll(world.deps);
});
afterEach(() => world.sandbox.faults?.clear());
after(async () => {
  for (const close of closes.reverse()) await close();
  await world.close();
});

/** A Stellar with this source only, RPC by default. */
function chainOf(url: string, kind: 'rpc' | 'horizon' = 'rpc'): Stellar {
  const { config, clock, log, metrics } = world.deps;
  const stellar = createStellar({
    rpc_urls: kind === 'rpc' ? [url] : [],
    horizon_urls: kind === 'horizon' ? [url] : [],
    passphrase: config.passphrase,
    clock,
    log,
    metrics,
  });
  closes.push(() => stellar.close());
  return stellar;
}
const node = (name: string) => ({ ...world.deps, stellar: chainOf(`${world.sandbox.url}nodes/${name}/rpc`) });

async function ingestAll(deps: Deps): Promise<void> {
  while ((await ingestDeposits(deps)).behind);
}

/** One payment with an address's memo id, and ledgers after it. Gives the address's id. */
async function pay(then_ledgers = 1): Promise<string> {
  const address = await createAddress(world.deps, on(wallet), { label: null, metadata: null });
  await sendPayment(world, payer, { destination: wallet.account, amount: '2', memo_id: address.memo_id });
  for (let closed = 0; closed < then_ledgers; closed++) world.sandbox.closeLedger();
  return address.id;
}

const countDeposits = async () => (await world.deps.db.selectFrom('deposits').select('id').execute()).length;
const cursorLedger = async () => (await readDepositCursor(world.deps.db)).ledger;
const newestLedger = async () => (await world.deps.stellar.latestLedger()).sequence;

async function assertCreditedOnce(address_id: string): Promise<void> {
  const { db } = world.deps;
  const deposits = await db
    .selectFrom('deposits')
    .select('id')
    .where('address_id', '=', address_id)
    .execute();
  assert.equal(deposits.length, 1);
  const events = await db.selectFrom('webhook_events').select('body').execute();
  assert.equal(events.filter(({ body }) => body.toString().includes(address_id)).length, 1);
}

/** Makes a database that lost a deposit. */
async function forget(address_id: string): Promise<void> {
  const { db } = world.deps;
  await db.deleteFrom('deposits').where('address_id', '=', address_id).execute();
  const events = await db.selectFrom('webhook_events').select(['id', 'body']).execute();
  for (const { id, body } of events)
    if (body.toString().includes(address_id))
      await db.deleteFrom('webhook_events').where('id', '=', id).execute();
}

test('a gap is closed from a second source, and the ingester goes on with the first', async () => {
  const ledger = await cursorLedger();
  const paid = [await pay(3), await pay(8)];
  world.sandbox.faults?.setNode('a', { oldest_ledger: (await newestLedger()) - 2 });
  const first = node('a');
  await ingestDeposits(first);
  const { stop_reason } = await readDepositCursor(world.deps.db);
  assert.match(stop_reason ?? '', /begins at ledger/);
  await assert.rejects(
    backfill(first, { from_ledger: ledger + 1, to_ledger: null }, quiet),
    /source’s history begins at ledger/,
  );
  const said = await backfill(node('b'), { from_ledger: ledger + 1, to_ledger: null }, quiet);
  assert.match(said, /2 deposits were missing \(2 attributed\)/);
  const cursor = await readDepositCursor(world.deps.db);
  assert.deepEqual([cursor.ledger, cursor.stop_reason], [await newestLedger(), null]);
  world.sandbox.closeLedger();
  await ingestAll(first);
  assert.equal(await cursorLedger(), await newestLedger());
  for (const address_id of paid) await assertCreditedOnce(address_id);
});

test('reading ledgers a second time records nothing and moves no cursor', async () => {
  await ingestAll(world.deps);
  const before_ = [await countDeposits(), await cursorLedger()];
  const said = await backfill(world.deps, { from_ledger: 2, to_ledger: null }, quiet);
  assert.match(said, / 0 deposits were missing /);
  assert.deepEqual([await countDeposits(), await cursorLedger()], before_);
});

test('a missing deposit in ledgers that were read is credited once, with its event', async () => {
  const address_id = await pay(20);
  await ingestAll(world.deps);
  await assertCreditedOnce(address_id);
  await forget(address_id);
  const cursor = await cursorLedger();
  const order = { from_ledger: 2, to_ledger: cursor };
  const answers = await Promise.all([1, 2, 3].map(() => backfill(world.another(), order, quiet)));
  assert.equal(answers.filter((said) => / 1 deposits were missing /.test(said)).length, 1);
  await assertCreditedOnce(address_id);
  assert.equal(await cursorLedger(), cursor);
});

test('Horizon can be the source', async () => {
  const address_id = await pay();
  await ingestAll(world.deps);
  await forget(address_id);
  const deps = { ...world.deps, stellar: chainOf(world.sandbox.url, 'horizon') };
  const newest = await newestLedger();
  await backfill(deps, { from_ledger: newest - 3, to_ledger: newest }, quiet);
  await assertCreditedOnce(address_id);
});

test('a range after the cursor is credited, and does not move the cursor', async () => {
  await ingestAll(world.deps);
  const cursor = await cursorLedger();
  for (let closed = 0; closed < 5; closed++) world.sandbox.closeLedger();
  const address_id = await pay(3);
  await backfill(world.deps, { from_ledger: cursor + 3, to_ledger: null }, quiet);
  await assertCreditedOnce(address_id);
  assert.equal(await cursorLedger(), cursor);
  await ingestAll(world.deps);
  await assertCreditedOnce(address_id);
});

test('a range that begins below the cursor and ends after it moves the cursor', async () => {
  await ingestAll(world.deps);
  const cursor = await cursorLedger();
  const address_id = await pay(7);
  await backfill(world.deps, { from_ledger: cursor - 2, to_ledger: null }, quiet);
  await assertCreditedOnce(address_id);
  assert.equal(await cursorLedger(), cursor + 7);
  await ingestAll(world.deps);
});

test('beside running ingesters, a backfill of all ledgers records everything once', async () => {
  const paid: string[] = [];
  for (let payments = 0; payments < 6; payments++) paid.push(await pay(4));
  for (const address_id of paid.slice(0, 3)) await forget(address_id);
  const order = { from_ledger: 2, to_ledger: null };
  await Promise.all([
    backfill(world.another(), order, quiet),
    backfill(world.another(), order, quiet),
    ingestAll(world.another()),
    ingestAll(world.another()),
  ]);
  for (const address_id of paid) await assertCreditedOnce(address_id);
  assert.equal(await cursorLedger(), await newestLedger());
});

test('a source that is on another network of the same name credits nothing', async () => {
  await ingestAll(world.deps);
  const sandbox = await startNetwork();
  closes.push(() => sandbox.stop());
  const stellar = chainOf(sandbox.rpc_url);
  await closingLedgers(sandbox, stellar.fund(wallet.account)); // the wallet's account, with money
  const before_ = await countDeposits();
  const elsewhere = { ...world.deps, stellar, clock: { ...manualClock(), sleep: async () => {} } };
  await assert.rejects(
    backfill(elsewhere, { from_ledger: 2, to_ledger: null }, quiet),
    /cannot show the ledger \d+ we know/,
  );
  while (sandbox.closeLedger().sequence < (await cursorLedger()) + 5);
  await assert.rejects(
    backfill(elsewhere, { from_ledger: 2, to_ledger: null }, quiet),
    /another hash for ledger \d+ than this database: the source has another network/,
  );
  assert.equal(await countDeposits(), before_);
});

/** A network of the same name that is higher than the cursor, and pays the wallet so far below it. */
async function elsewhere(cursor: number, below: number): Promise<InProcessService['sandbox']> {
  const sandbox = await startNetwork();
  closes.push(() => sandbox.stop());
  const { fund } = chainOf(sandbox.rpc_url);
  await closingLedgers(sandbox, fund(Keypair.random().publicKey())); // or the wallet's would be our network's own
  while (sandbox.closeLedger().sequence < cursor - below);
  await closingLedgers(sandbox, fund(wallet.account));
  while (sandbox.closeLedger().sequence < cursor + 5);
  return sandbox;
}

test('pages of two chains are never mixed: a page that does not follow the page before credits nothing', async () => {
  for (let closed = 0; closed < 50; closed++) world.sandbox.closeLedger();
  await ingestAll(world.deps);
  const cursor = await cursorLedger();
  const other = await elsewhere(cursor, 35);
  const before_ = await countDeposits();
  const proxy = await startRpcProxy(world.sandbox.rpc_url);
  closes.push(() => proxy.close());
  const from_ledger = cursor - 49;
  proxy.treat('getLedgers', async (call) => {
    const { startLedger } = call.params;
    if (startLedger === cursor || startLedger === from_ledger) return call.reply(await call.forward());
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: call.method, params: call.params });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(other.rpc_url, { method: 'POST', headers, body });
    call.result(((await answer.json()) as { result: object }).result);
  });
  const turncoat = { ...world.deps, stellar: chainOf(proxy.url) };
  await assert.rejects(
    backfill(turncoat, { from_ledger, to_ledger: cursor }, quiet),
    /another hash for ledger \d+ than this database/,
  );
  assert.equal(await countDeposits(), before_);
});

test('of two sources the one on another chain gives no page, though it is asked first', async () => {
  await ingestAll(world.deps);
  const cursor = await cursorLedger();
  const other = await elsewhere(cursor, 12);
  const before_ = await countDeposits();
  const { config, clock, log, metrics } = world.deps;
  const rpc_urls = [other.rpc_url, world.sandbox.rpc_url];
  const stellar = createStellar({
    rpc_urls,
    horizon_urls: [],
    passphrase: config.passphrase,
    clock,
    log,
    metrics,
  });
  closes.push(() => stellar.close());
  const order = { from_ledger: cursor - 19, to_ledger: cursor };
  const said = await backfill({ ...world.deps, stellar }, order, quiet);
  assert.match(said, / 0 deposits were missing /);
  assert.equal(await countDeposits(), before_);
});

test('a source that fails midway is tried again; then the message has the command that goes on, and it works', async () => {
  await ingestAll(world.deps);
  const cursor = await cursorLedger();
  const address_id = await pay(30);
  const clock = manualClock();
  const source = node('c');
  let pages = 0;
  const stellar: Stellar = {
    ...source.stellar,
    async readLedgersAfter(after, anchor) {
      if (++pages === 3)
        world.sandbox.faults?.add({ on: 'getLedgers', kind: 'status', status: 503, times: null });
      clock.advance(10_000); // whoever waits before trying again need not
      return source.stellar.readLedgersAfter(after, anchor);
    },
  };
  const impatient = { ...clock, sleep: async () => {} };
  const order = { from_ledger: cursor + 1, to_ledger: null };
  const reports: string[] = [];
  const failure = await backfill({ ...source, stellar, clock: impatient }, order, (text) =>
    reports.push(text),
  ).then(
    () => assert.fail('it read everything'),
    (error: Error) => error.message,
  );
  const next = Number(/To continue: teller backfill --from-ledger (\d+)$/.exec(failure)?.[1]);
  assert.equal(next, (await cursorLedger()) + 1, 'what was read is kept');
  assert(next > cursor + 1);
  assert.match(reports[0] ?? '', /^Ledger \d+ of \d+: /);
  world.sandbox.faults?.clear();
  await backfill(source, { from_ledger: next, to_ledger: null }, quiet);
  assert.equal(await cursorLedger(), await newestLedger());
  await assertCreditedOnce(address_id);
});

test('future ledgers and empty ranges are refused', async () => {
  const newest = await newestLedger();
  await assert.rejects(
    backfill(world.deps, { from_ledger: 2, to_ledger: newest + 1 }, quiet),
    new RegExp(`The newest ledger is ${newest}`),
  );
  await assert.rejects(
    backfill(world.deps, { from_ledger: newest + 1, to_ledger: null }, quiet),
    /There is no ledger from/,
  );
});
