/** TREASURY_PAYS=fees,reserves: the treasury pays for all wallets, and the books know who paid. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk/base';
import { eventually } from '../support/eventually.ts';
import { type Issuer, newIssuer } from '../support/issuers.ts';
import { assertError, startRunningService, unique, type Wallet } from '../support/running-service.ts';
import { teller, temporaryDirectory } from '../support/service.ts';

const RESERVE = 5_000_000n;
const MINIMUM = 2n * RESERVE;
const BUMPED = 200n;
const SPONSORED = 400n;
const AT_ONCE = 50;
const CHANNELS = 20;

const treasury = Keypair.random();
const TREASURY_SEED_FILE = join(temporaryDirectory(), 'treasury');
writeFileSync(TREASURY_SEED_FILE, `${treasury.secret()}\n`);

const world = await startRunningService({
  TREASURY_PAYS: 'fees,reserves',
  TREASURY_SEED_FILE,
  CHANNELS_MAX: '0',
});
after(() => world.stop());
const { ledger, token } = world;
const usdc = await newIssuer(ledger);

/** What the operator has: the treasury and the channel accounts, which it has filled. */
async function ofOperator(): Promise<bigint> {
  const channels: { account: string }[] = await world.query('select account from channels');
  const balances = await Promise.all([ofTreasury(), ...channels.map(({ account }) => nativeOf(account))]);
  return balances.reduce((sum, balance) => sum + balance);
}
const nativeOf = async (account: string) => (await ledger.account(account))?.balance ?? 0n;
const ofTreasury = () => nativeOf(treasury.publicKey());
await eventually('friendbot’s payment to the treasury', async () => (await ofTreasury()) > 0n);

const get = async (wallet: Wallet, path: string) =>
  (await world.api('GET', `/v1/wallets/${wallet.id}${path}`, { token })).body.data;
const add = (wallet: Wallet, { fields }: Issuer) =>
  world.api('POST', `/v1/wallets/${wallet.id}/assets`, { token, body: fields });
const remove = (wallet: Wallet, { text }: Issuer) =>
  world.api('DELETE', `/v1/wallets/${wallet.id}/assets/${text}`, { token });
const preview = async (wallet: Wallet, body: object) =>
  (await world.api('POST', `/v1/wallets/${wallet.id}/withdraw/preview`, { token, body })).body.data;
const rowsOf = async (wallet: Wallet) =>
  Number((await world.query('select count(*) from withdrawals where wallet_id = $1', [wallet.id]))[0].count);

async function withdrawn(wallet: Wallet, body: object): Promise<any> {
  const { status, body: answer, text } = await world.withdraw(wallet, body);
  assert.equal(status, 201, text);
  assert.equal(answer.data.status, 'confirmed', text);
  return answer.data;
}

/** With exactly the balance that the network requires: not one stroop for a fee. */
async function walletAtMinimum(): Promise<Wallet> {
  const wallet = await world.newWallet();
  const amount_stroops = (await nativeOf(wallet.account)) - MINIMUM;
  await withdrawn(wallet, { destination: ledger.root.publicKey(), amount_stroops });
  assert.equal(await nativeOf(wallet.account), MINIMUM);
  return wallet;
}

/** How many base reserves the treasury pays for others. */
async function sponsoring(): Promise<number> {
  const { ext } = await ledger.server.getAccountEntry(treasury.publicKey());
  const v1 = ext.type === 'v1' ? ext.v1 : null;
  return v1?.ext.type === 'v2' ? v1.ext.v2.numSponsoring : 0;
}

async function assertBooksAgree(wallet: Wallet): Promise<void> {
  const { items } = await get(wallet, '/reconciliation');
  assert.ok(items.length > 0);
  for (const { asset_code, difference_stroops, fees_stroops } of items) {
    assert.equal(difference_stroops, 0n, asset_code);
    assert.equal(fees_stroops, 0n, asset_code);
  }
}

describe('a wallet without a stroop above its reserve', () => {
  it('adds USDC, pays it, and removes it; the treasury pays exactly the fees, and the reserve while it is there', async () => {
    const wallet = await walletAtMinimum();
    const payee = (await usdc.holder(0n)).publicKey();
    const [before, sponsored] = [await ofTreasury(), await sponsoring()];

    const added = await add(wallet, usdc);
    assert.deepEqual([added.status, added.body.data.status], [201, 'active'], added.text);
    assert.equal(await ofTreasury(), before - SPONSORED);
    assert.equal(await sponsoring(), sponsored + 1);

    await usdc.pay(wallet.account, 50_000_000n);
    const order = { ...usdc.fields, destination: payee, amount_stroops: 50_000_000n };
    const foreseen = await preview(wallet, order);
    assert.deepEqual(
      [foreseen.would_send, foreseen.problems, foreseen.fee_stroops, foreseen.fee_paid_by],
      [true, [], 0n, 'treasury'],
    );
    const data = await withdrawn(wallet, order);
    assert.deepEqual([data.fee_stroops, data.fee_paid_by, data.fee_bumps], [0n, 'treasury', 1n]);
    assert.equal(await usdc.balanceOf(payee), 50_000_000n);
    await assertBooksAgree(wallet);

    const removed = await remove(wallet, usdc);
    assert.deepEqual([removed.status, removed.body.data.status], [200, 'absent'], removed.text);
    assert.equal(await sponsoring(), sponsored);
    assert.equal(await nativeOf(wallet.account), MINIMUM);
    assert.equal(await ofTreasury(), before - SPONSORED - 2n * BUMPED);
    await assertBooksAgree(wallet);
  });

  it('its reserve is not above what it has, though it has a trust line: the balances count who sponsors it', async () => {
    const wallet = await walletAtMinimum();
    assert.equal((await add(wallet, usdc)).status, 201);
    const { items } = await get(wallet, '/balances');
    const native = items.find(({ asset_code }: any) => asset_code === 'native');
    assert.deepEqual([native.amount_stroops, native.available_stroops], [MINIMUM, 0n]);
    const shown = await preview(wallet, { destination: ledger.root.publicKey(), amount_stroops: 1n });
    assert.equal(shown.reserve_stroops, MINIMUM);
  });

  it('adding what the ledger has already sponsors nothing, and succeeds', async () => {
    const wallet = await walletAtMinimum();
    assert.equal((await add(wallet, usdc)).status, 201);
    const sponsored = await sponsoring();
    // The service does not know of the trust line any more, as after a restore.
    await world.query(`delete from withdrawals where wallet_id = $1 and operation = 'add_trust_line'`, [
      wallet.id,
    ]);
    const again = await add(wallet, usdc);
    assert.deepEqual([again.status, again.body.data.status], [201, 'active'], again.text);
    assert.equal(await sponsoring(), sponsored);
    assert.equal(await nativeOf(wallet.account), MINIMUM);
  });

  it('twenty additions at once are one trust line, one fee and one reserve', async () => {
    const wallet = await walletAtMinimum();
    const [before, sponsored] = [await ofTreasury(), await sponsoring()];
    const answers = await Promise.all(Array.from({ length: 20 }, () => add(wallet, usdc)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(19).fill(200), 201]);
    assert.deepEqual([await ofTreasury(), await sponsoring()], [before - SPONSORED, sponsored + 1]);
    assert.equal(await rowsOf(wallet), 2);
  });

  it('what the network fails is the treasury’s fee too, and the books say so', async () => {
    const wallet = await walletAtMinimum();
    const before = await ofTreasury();
    const body = { destination: ledger.root.publicKey(), amount_stroops: 1n };
    const { status, body: answer } = await world.withdraw(wallet, body);
    const { data } = answer;
    assert.deepEqual([status, data.status, data.failure.code], [201, 'failed', 'op_underfunded']);
    assert.deepEqual([data.fee_stroops, data.fee_paid_by], [0n, 'treasury']);
    assert.equal(await ofTreasury(), before - BUMPED);
    await assertBooksAgree(wallet);
  });
});

describe('many at once', () => {
  /** Pays AT_ONCE from these wallets. These payers, of the operator, bear the fees. */
  async function payMany(wallets: Wallet[], payers: string[]): Promise<void> {
    const destination = ledger.root.publicKey();
    const [before, ...balances] = await Promise.all([
      ofOperator(),
      ...wallets.map(({ account }) => nativeOf(account)),
    ]);
    const orders = Array.from({ length: AT_ONCE }, (_, index) => wallets[index % wallets.length] as Wallet);
    const paid = await Promise.all(
      orders.map((wallet) => withdrawn(wallet, { destination, amount_stroops: 1n })),
    );
    assert.ok(paid.every(({ fee_stroops }) => fee_stroops === 0n));
    assert.deepEqual([...new Set(paid.map(({ fee_paid_by }) => fee_paid_by))].sort(), payers);
    const ids = paid.map(({ id }) => id);
    const [{ fees, bids }] = await world.query(
      `select sum(fee_charged_stroops)::bigint as fees, sum(case fee_paid_by when 'treasury' then $2::bigint else 100 end)::bigint as bids
         from withdrawals where id = any($1)`,
      [ids, BUMPED],
    );
    assert.ok(BigInt(fees) >= BigInt(bids));
    assert.equal(await ofOperator(), before - BigInt(fees), 'the operator has exactly the fees less');
    for (const [index, { account }] of wallets.entries()) {
      const count = orders.filter((wallet) => wallet.account === account).length;
      assert.equal(await nativeOf(account), (balances[index] ?? 0n) - BigInt(count));
    }
  }

  it('fifty, by ten wallets’ own accounts', async () => {
    await payMany(await Promise.all(Array.from({ length: 10 }, () => world.newWallet())), ['treasury']);
  });

  it('fifty of one wallet, by channel accounts, which pay for themselves', async () => {
    const env = {
      ...world.environment,
      STELLAR_RPC_URL: world.service.rpc_url,
      WITHDRAW_VALID_SECONDS: '600',
    };
    const made = await teller(['channels', 'create', `${CHANNELS}`], { ...env, CHANNELS_MAX: `${CHANNELS}` });
    assert.equal(made.code, 0, made.output);
    const [{ sponsor }] = await world.query('select distinct sponsor from channels');
    assert.equal(sponsor, treasury.publicKey());
    await payMany([await world.newWallet()], ['channel', 'treasury']);
    const [{ used }] = await world.query(
      'select count(*) as used from tx_sources where kind = $1 and last_sequence is not null',
      ['channel'],
    );
    assert.ok(Number(used) > 1, 'channel accounts took part');
  });
});

/** What `teller treasury` with these arguments prints. */
async function commanded(...args: string[]): Promise<string> {
  const env = {
    ...world.environment,
    STELLAR_RPC_URL: world.service.rpc_url,
    TREASURY_PAYS: 'fees,reserves',
  };
  const { code, output } = await teller(['treasury', ...args], env);
  assert.equal(code, 0, output);
  return output;
}

describe('teller treasury', () => {
  it('shows what the treasury has, and what it has paid for wallets', async () => {
    const output = await commanded();
    const [{ fees, count }] = await world.query(
      `select sum(fee_charged_stroops)::text as fees, count(*)::text as count from withdrawals where fee_paid_by = 'treasury'`,
    );
    assert.match(output, new RegExp(treasury.publicKey()));
    assert.match(output, new RegExp(`fees of ${count} transactions: ${fees} stroops`));
    assert.match(output, /TREASURY_PAYS: fees, reserves/);
  });
});

describe('a team whose budget is spent', () => {
  it('422 treasury_budget_spent, told by previews before; with another budget, the same key pays', async () => {
    const wallet = await world.newWallet();
    const [{ owner_id }] = await world.query('select owner_id from wallets where id = $1', [wallet.id]);
    const key = unique('key');
    const order = { destination: ledger.root.publicKey(), amount_stroops: 1n };
    const body = { name: 'June', rows: [{ idempotency_key: unique('row'), ...order }] };
    assert.match(await commanded('budget', owner_id, '199'), /up to 199 stroops/);

    const shown = await preview(wallet, order);
    assert.deepEqual(
      [shown.would_send, shown.problems.map(({ code }: any) => code)],
      [false, ['treasury_budget_spent']],
    );
    const refused = await world.withdraw(wallet, order, { key });
    assertError(refused, 422, 'treasury_budget_spent');
    assert.match(refused.text, /up to 199 stroops in 24 hours/);
    assertError(await add(wallet, usdc), 422, 'treasury_budget_spent');
    assert.equal(await rowsOf(wallet), 0);
    const { warnings } = (
      await world.api('POST', `/v1/wallets/${wallet.id}/payouts?preview=true`, { token, body })
    ).body.data;
    assert.deepEqual(
      warnings.map(({ code }: any) => code),
      ['treasury_budget_spent'],
    );

    await commanded('budget', owner_id, 'default');
    const paid = await world.withdraw(wallet, order, { key });
    assert.deepEqual([paid.status, paid.body.data.status], [201, 'confirmed'], paid.text);
    assert.match(
      await commanded(),
      new RegExp(`${owner_id}: [0-9]+ of 1000000000 stroops in the last 24 hours`),
    );
  });
});

describe('a treasury without money', () => {
  it('503 treasury_unfunded before anything is kept; once it is paid into, the same key pays', async () => {
    const wallet = await world.newWallet();
    const destination = ledger.root.publicKey();
    const away = (await ofTreasury()) - (2n + BigInt(await sponsoring())) * RESERVE - 100n - 1n;
    assert.ok((await ledger.pay(treasury, destination, away)).successful);
    const key = unique('key');
    const order = { destination, amount_stroops: 1n };

    const refused = await world.withdraw(wallet, order, { key });
    assertError(refused, 503, 'treasury_unfunded');
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assertError(await add(wallet, usdc), 503, 'treasury_unfunded');
    const body = { name: 'May', rows: [{ idempotency_key: unique('row'), ...order }] };
    const payout = await world.api('POST', `/v1/wallets/${wallet.id}/payouts`, { token, body });
    assertError(payout, 503, 'treasury_unfunded');
    const shown = await preview(wallet, order);
    assert.deepEqual(
      [shown.would_send, shown.problems.map(({ code }: any) => code)],
      [false, ['treasury_unfunded']],
    );
    assert.equal(await rowsOf(wallet), 0);
    const { treasury: check } = await eventually('the word of /readyz', async () => {
      const checks = await world.service.checks();
      return checks.treasury?.ok ? null : checks;
    });
    assert.match(check?.message ?? '', /pay into it/);

    assert.ok((await ledger.pay(ledger.root, treasury.publicKey(), 1_000_000_000n)).successful);
    const paid = await world.withdraw(wallet, order, { key });
    assert.deepEqual([paid.status, paid.body.data.status], [201, 'confirmed'], paid.text);
    assert.equal((await add(wallet, usdc)).status, 201);
  });
});
