import { strict as assert } from 'node:assert';
import { after, afterEach, before, test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { eventually } from '../../../test/support/eventually.ts';
import {
  closingLedgers,
  type InProcessService,
  sendPayment,
  startInProcess,
} from '../../../test/support/in-process-service.ts';
import { type RpcProxy, startRpcProxy } from '../../../test/support/rpc-proxy.ts';
import type { Deps } from '../../deps.ts';
import { anchorOf, readDepositCursor } from '../../ledgers/deposit-cursor.ts';
import { createStellar } from '../../stellar/sources/create-stellar.ts';
import type { Anchor } from '../../stellar/stellar.ts';
import type { Wallet } from '../../wallets/access.ts';
import { ingestDeposits, startIngester } from './ingest-deposits.ts';
import { createPrefetch } from './prefetch.ts';

let world: InProcessService;
let proxy: RpcProxy;
let wallet: Wallet;
/** The requests of this Stellar go through the proxy. */
let deps: Deps;
const payer = Keypair.random();

before(async () => {
  world = await startInProcess();
  wallet = await world.wallet();
  await closingLedgers(world.sandbox, world.deps.stellar.fund(payer.publicKey()));
  proxy = await startRpcProxy(world.sandbox.rpc_url);
  const { config, clock, log, metrics } = world.deps;
  const stellar = createStellar({
    rpc_urls: [proxy.url],
    horizon_urls: [],
    passphrase: config.passphrase,
    clock,
    log,
    metrics,
  });
  deps = { ...world.another(), stellar };
});
afterEach(() => proxy.honest());
after(async () => {
  await deps.stellar.close();
  await proxy.close();
  await world.close();
});

async function ingestAll(): Promise<number> {
  let step = await ingestDeposits(world.deps);
  while (step.behind) step = await ingestDeposits(world.deps);
  return step.ledger;
}

/** The position of the deposit cursor. */
async function ingestedAnchor(): Promise<Anchor> {
  await ingestAll();
  const anchor = anchorOf(await readDepositCursor(world.deps.db));
  assert(anchor);
  return anchor;
}

const asked = () =>
  proxy.calls.filter(({ method }) => method === 'getLedgers').map(({ params }) => params.startLedger);

/** Answers wait until the test releases them. */
function holdAnswers(): () => void {
  let letThrough = () => {};
  const gate = new Promise<void>((open) => {
    letThrough = open;
  });
  proxy.treat('getLedgers', async (call) => {
    await gate;
    call.reply(await call.forward());
  });
  return letThrough;
}

test('the next ledgers are requested while the current ones are being recorded', async () => {
  const ledger = await ingestAll();
  await sendPayment(world, payer, { destination: wallet.account, amount: '1' });
  for (let closed = 0; closed < 20; closed++) world.sandbox.closeLedger();
  const holder = await world.deps.pool.connect();
  await holder.query('begin');
  await holder.query('lock table deposits in exclusive mode');
  const before_ = asked().length;
  const ingester = startIngester(deps);
  const [first = 0, next = 0] = await eventually('two requests', () => {
    const requests = asked().slice(before_);
    return requests.length === 2 && requests;
  });
  assert.equal(first, ledger + 1);
  assert(next > first);
  assert.equal(
    (await readDepositCursor(world.deps.db)).ledger,
    ledger,
    'the first page is not committed yet',
  );
  await holder.query('rollback');
  holder.release();
  await eventually(
    'all of them',
    async () => (await readDepositCursor(world.deps.db)).ledger === ledger + 20,
  );
  await ingester.stop();
  const requests = asked().slice(before_);
  assert.deepEqual(requests, [...new Set(requests)], 'none was asked for twice');
});

test('prefetched ledgers are dropped when the cursor is elsewhere', async () => {
  const here = await ingestedAnchor();
  const { ledger } = here;
  for (let closed = 0; closed < 4; closed++) world.sandbox.closeLedger();
  const { readLedgersAfter } = world.deps.stellar;
  const ahead = createPrefetch(deps.stellar.readLedgersAfter);
  ahead.begin(here);
  assert.deepEqual(await ahead.after(ledger + 2, here), await readLedgersAfter(ledger + 2, here));
  assert.deepEqual(await ahead.after(ledger, here), await readLedgersAfter(ledger, here));
});

test('ledgers prefetched after one ledger are not used after another ledger of the same number', async () => {
  const here = await ingestedAnchor();
  world.sandbox.closeLedger();
  const ahead = createPrefetch(deps.stellar.readLedgersAfter);
  ahead.begin(here);
  const elsewhere = { ...here, hash: 'f'.repeat(64) };
  assert.deepEqual(await ahead.after(here.ledger, elsewhere), { read: 'other_chain' });
  assert.equal((await ahead.after(here.ledger, here)).read, 'ledgers');
});

test('after a drop no request is under way', async () => {
  const here = await ingestedAnchor();
  world.sandbox.closeLedger();
  const letThrough = holdAnswers();
  const ahead = createPrefetch(deps.stellar.readLedgersAfter);
  const before_ = asked().length;
  ahead.begin(here);
  await eventually('the request', () => asked().length > before_);
  let dropped = false;
  const dropping = ahead.drop().then(() => {
    dropped = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(dropped, false);
  letThrough();
  await dropping;
});

test('ingesters that overtake each other record each payment once', async () => {
  await ingestAll();
  const count = async () => (await world.deps.db.selectFrom('deposits').select('id').execute()).length;
  const before_ = await count();
  const ingester = startIngester(deps);
  const others = [world.another(), world.another()];
  for (let paid = 0; paid < 10; paid++) {
    await sendPayment(world, payer, { destination: wallet.account, amount: '1' });
    for (let closed = 0; closed < 7; closed++) world.sandbox.closeLedger();
    await Promise.all(others.map((other) => ingestDeposits(other)));
  }
  const { sequence } = world.sandbox.closeLedger();
  await eventually(
    'the last ledger',
    async () => (await readDepositCursor(world.deps.db)).ledger === sequence,
  );
  await ingester.stop();
  assert.equal((await count()) - before_, 10);
});
