/** The tour, over and over while the service is killed: log in, wallets, webhooks, addresses, deposits, withdrawals. */
import assert from 'node:assert/strict';
import type { Order } from '../oracle/order.ts';
import { toJson } from '../support/api.ts';
import type { Random } from '../support/random.ts';
import { addAssets, changeAssetOnAndOn, makeAssets } from './assets.ts';
import type { CrashEvidence } from './evidence.ts';
import type { UnreliableService } from './killable-service.ts';
import type { Journal, LoadState, Place, Plan } from './load-state.ts';
import { newOrder } from './orders.ts';
import { ensureFunded, newAccount, payOnAndOn, type Target } from './payers.ts';
import { ask, have, listAll, pause, persist } from './persistent-client.ts';
import { newTarget } from './targets.ts';

export type Load = {
  journal: Journal;
  /** Another wallet joins in: resolves when it takes deposits and pays. */
  addWallet(): Promise<void>;
  /** Begins nothing new; resolves when every order has its outcome. */
  finish(): Promise<void>;
};

const PAYERS = 2;
const LOOKS = 10;

export async function startLoad(service: UnreliableService, random: Random, plan: Plan): Promise<Load> {
  const journal: Journal = {
    token: '',
    calls: [],
    answers: [],
    returned_addresses: [],
    endpoint_calls: [],
    asset_calls: [],
    assets: [],
    seen_by_payers: [],
    secrets: new Map(),
    unexpected: [],
  };
  let is_stopping = false;
  const stopping = () => is_stopping;
  const body = await persist(service, async () => service.credentials());
  journal.token = (await have(service, 'POST', '/v1/auth/login', { body })).token;
  const sink = await newAccount(service);
  const assets = plan.native_only ? null : await makeAssets(service, sink);
  if (assets) journal.assets.push(...[assets.held, assets.spare].map(String));
  const state: LoadState = {
    service,
    random,
    journal,
    plan,
    targets: [],
    sink: sink.publicKey(),
    assets,
    asset_targets: [],
    stopping,
  };
  const paying = { targets: state.targets, stopping, applied: journal.seen_by_payers };
  const tasks = Array.from({ length: PAYERS }, (_, i) =>
    payOnAndOn(service, random.fork(`payer ${i}`), paying),
  );
  if (assets) {
    const issuing = { ...paying, targets: state.asset_targets, payer: assets.issuer, asset: assets.held };
    tasks.push(payOnAndOn(service, random.fork('issuer'), issuing));
  }
  let wallets = 0;
  return {
    journal,
    addWallet() {
      const draws = random.fork(`wallet ${wallets++}`);
      const made = makeWallet(state, draws);
      tasks.push(made.then((wallet) => useWallet(state, wallet, draws)));
      return made.then(() => undefined);
    },
    async finish() {
      is_stopping = true;
      await Promise.all(tasks);
    },
  };
}

async function makeWallet(state: LoadState, random: Random): Promise<Place> {
  const { service, journal } = state;
  const { token } = journal;
  const wallet = await have(service, 'POST', '/v1/wallets', { token, body: { name: 'crash' } });
  await ensureFunded(service, wallet.account); // a kill between row and friendbot leaves it unfunded
  for (let count = random.integer(1, 2); count > 0; count--) await register(state, wallet);
  // Only now, so that every attributed deposit is an event for every endpoint.
  const targets: Target[] = [];
  for (let count = 0; count < 3; count++) targets.push(await newTarget(state, wallet, wallet.api_key));
  state.targets.push(...targets);
  if (state.assets) {
    await addAssets(state, wallet, state.assets);
    state.asset_targets.push(...targets);
  }
  return wallet;
}

async function useWallet(state: LoadState, wallet: Place, random: Random): Promise<void> {
  const { assets, plan } = state;
  const order = async () => {
    while (!state.stopping()) await carryOut(state, await newOrder(state, wallet, random), random);
  };
  await Promise.all([
    ...Array.from({ length: plan.orders_at_once }, order),
    ...(assets
      ? [changeAssetOnAndOn(state, wallet, { asset: assets.spare, random: random.fork('assets') })]
      : []),
  ]);
}

/** The secret is shown once: an endpoint whose answer was lost gets a new one. */
async function register(
  { service, journal, plan: { hook_url } }: LoadState,
  wallet: Place & { api_key: string },
): Promise<void> {
  const { token, secrets } = journal;
  const path = `/v1/wallets/${wallet.id}/webhooks`;
  const made = await persist(service, async () => {
    const body = { url: `${hook_url}/${wallet.id}/${secrets.size}-${Math.random()}` };
    const answer = await service.api('POST', path, { token: wallet.api_key, body });
    return answer.status === 201 ? answer.body.data : undefined;
  });
  secrets.set(made.url, made.signing_secret);
  for (const { id, url } of await listAll(service, path, token)) {
    if (secrets.has(url)) continue;
    const asked_ms = Date.now();
    const { signing_secret } = await have(service, 'POST', `${path}/${id}/rotate-secret`, { token });
    secrets.set(url, signing_secret);
    const call = { endpoint_id: id, wish: 'rotate', asked_ms, done_ms: Date.now() } as const;
    journal.endpoint_calls.push({ ...call, signing_secret });
  }
}

/** Sends the order with one key until the outcome is known, as a careful integrator does; sometimes once more after that. */
async function carryOut(state: LoadState, order: Order, random: Random): Promise<void> {
  state.journal.calls.push({ order, answer: null });
  for (let left = random.chance(0.2) ? 2 : 1; left > 0; ) {
    const heard = await request(state, order);
    if (heard === 'refused') return;
    if (heard === 'done') left--;
    else await watch(state, order, random.integer(1, LOOKS));
  }
}

/** Looks at the withdrawal until it is settled; after `looks` in vain the order is to be sent again. */
async function watch({ service, journal }: LoadState, order: Order, looks: number): Promise<void> {
  const { token } = journal;
  const path = `/v1/wallets/${order.wallet_id}/withdrawals?idempotency_key=${order.key}`;
  for (let look = 0; look < looks; look++) {
    for (let i = 0; i < 5; i++) await pause(); // Retry-After says 2 s; we are in a hurry
    const [data] = (await have(service, 'GET', path, { token })).items;
    if (data) note(journal, order, { status: 200, code: 'shown', data });
    if (data && data.status !== 'pending') return;
  }
}

/** For the oracle, which counts ledgers in numbers, and as it was heard. */
function note(journal: Journal, order: Order, answer: { status: number; code: string; data: any }): void {
  const { id, status, stellar_tx_hash, inner_tx_hash, ledger, fee_stroops } = answer.data;
  const data = { id, status, stellar_tx_hash, inner_tx_hash, fee_stroops };
  const shown = { ...data, ledger: ledger === null ? null : Number(ledger) };
  journal.calls.push({ order, answer: { ...answer, data: shown } });
  journal.answers.push({ key: order.key, http_status: answer.status, data: answer.data });
}

async function request(state: LoadState, order: Order): Promise<'done' | 'pending' | 'refused'> {
  const { service, journal } = state;
  const path = `/v1/wallets/${order.wallet_id}/withdraw`;
  const answer = await ask(service, 'POST', path, requestFor(order, journal.token));
  const { data, error } = answer.body ?? {};
  if (data) note(journal, order, { status: answer.status, code: error?.code ?? 'created', data });
  if (answer.status === 201 || error?.code === 'idempotency_key_reused') return 'done';
  if (answer.status === 504 || error?.code === 'idempotency_key_in_flight') return 'pending';
  journal.unexpected.push(`${answer.status} ${answer.text}`);
  return answer.status >= 500 ? 'pending' : 'refused';
}

/** Each key that is used again is refused with the withdrawal of its first use. */
export async function retryEveryKey(
  service: UnreliableService,
  load: Load,
  { calls, clients: { wallets } }: CrashEvidence,
): Promise<void> {
  const rows = new Map(
    wallets.flatMap(({ withdrawals }) => withdrawals).map((row) => [row.idempotency_key, row]),
  );
  for (const order of new Set(calls.map((call) => call.order))) {
    const request = requestFor(order, load.journal.token);
    const again = await ask(service, 'POST', `/v1/wallets/${order.wallet_id}/withdraw`, request);
    assert.equal(again.status, 409, again.text);
    assert.equal(again.body.error.code, 'idempotency_key_reused');
    assert.equal(toJson(again.body.data), toJson(rows.get(order.key)));
  }
}

function requestFor(order: Order, token: string) {
  const { key, destination, amount_stroops, memo_id, asset } = order;
  const [asset_code, asset_issuer] = asset.split(':');
  const named = asset === 'native' ? {} : { asset_code, asset_issuer };
  const body = { destination, amount_stroops, ...(memo_id !== null && { memo_id }), ...named };
  return { token, headers: { 'idempotency-key': key }, body };
}
