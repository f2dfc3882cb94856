/** API.md section 5: withdrawals to contracts (C…) and muxed contracts (W…), by the contract of the asset. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { Asset, StrKey } from '@stellar/stellar-sdk/base';
import { deployTestContract } from '../../sandbox/issuer-order.ts';
import { startSandbox } from '../../sandbox/launch.ts';
import { createLog } from '../../src/lib/log.ts';
import { contractAddress } from '../../src/stellar/contract-address.ts';
import type { Answer } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { type Issuer, newIssuer, REQUIRED } from '../support/issuers.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { assertRefused } from '../support/refused-withdrawal.ts';
import { startRpcProxy } from '../support/rpc-proxy.ts';
import {
  assertError,
  assertFault,
  startRunningService,
  startSecond,
  unique,
  type Wallet,
} from '../support/running-service.ts';
import { startService, type TestService, temporaryDirectory } from '../support/service.ts';

const RESERVE = 5_000_000n;
const FEE_MAX = 100_000n;

const world = await startRunningService();
after(() => world.stop());
const { ledger } = world;
const { rpc_url } = world.service;
const native = Asset.native();
const usdc = await newIssuer(ledger);
const { contract: smart } = await deployTestContract(rpc_url);
const muxed = (muxed_id: bigint, contract = smart) => contractAddress({ contract, muxed_id });

/** What a contract has of an asset. */
async function held(contract: string, asset = native): Promise<bigint> {
  const { balanceEntry } = await ledger.server.getSACBalance(contract, asset, ledger.passphrase);
  return BigInt(balanceEntry?.amount ?? 0);
}
/** `to_muxed_id` of the transaction's one contract event; null when its data are the amount alone. */
async function idInEvent(hash: string): Promise<bigint | null> {
  const found: any = await ledger.server.getTransaction(hash);
  const [event] = found.resultMetaXdr.v4.operations[0].events; // an older stellar-rpc gives no events apart
  const { map } = event.body.value.data;
  return map?.find(({ key }: any) => `${key.sym}` === 'to_muxed_id')?.val.u64 ?? null;
}
const unsupported = (words: RegExp) => (answer: Answer) => {
  assertError(answer, 422, 'destination_not_supported');
  assert.match(answer.body.message, words);
};
const code = (status: number, expected: string) => (answer: Answer) =>
  void assertError(answer, status, expected);
const nativeOf = async (wallet: Wallet) => (await ledger.account(wallet.account))?.balance ?? 0n;

async function holding(issuer: Issuer, stroops: bigint): Promise<Wallet> {
  const wallet = await world.newWallet();
  const path = `/v1/wallets/${wallet.id}/assets`;
  const { status, text } = await world.api('POST', path, { token: world.token, body: issuer.fields });
  assert.equal(status, 201, text);
  if (stroops > 0n) await issuer.pay(wallet.account, stroops);
  return wallet;
}

const preview = async (wallet: Wallet, body: object): Promise<any> => {
  const path = `/v1/wallets/${wallet.id}/withdraw/preview`;
  const answer = await world.api('POST', path, { token: world.token, body });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
};

describe('a withdrawal to a contract', () => {
  it('201 confirmed, native: the contract has the amount, and the wallet paid it and the fee', async () => {
    const wallet = await world.newWallet();
    const [had, before] = [await held(smart), await nativeOf(wallet)];
    const { status, body, text } = await world.withdraw(wallet, {
      destination: smart,
      amount_stroops: 12_345_678,
    });
    assert.equal(status, 201, text);
    const { data } = body;
    assert.deepEqual(
      [data.status, data.operation, data.destination, data.asset_code, data.failure],
      ['confirmed', 'contract_transfer', smart, 'native', null],
      text,
    );
    assert.equal(await held(smart), had + 12_345_678n);
    assert.equal(await nativeOf(wallet), before - 12_345_678n - data.fee_stroops);
    const { status: found } = await ledger.transaction(data.stellar_tx_hash);
    assert.equal(found, 'SUCCESS');
    const listed = await world.api('GET', `/v1/wallets/${wallet.id}/withdrawals/${data.id}`, {
      token: world.token,
    });
    assert.deepEqual(listed.body.data, data);
  });

  it('201 confirmed, issued: the fee is native', async () => {
    const wallet = await holding(usdc, 100n);
    const before = await nativeOf(wallet);
    const order = { ...usdc.fields, destination: smart, amount_stroops: 100 };
    const { status, body, text } = await world.withdraw(wallet, order);
    assert.equal(status, 201, text);
    assert.deepEqual(
      [body.data.status, body.data.operation, body.data.asset_code, body.data.asset_issuer],
      ['confirmed', 'contract_transfer', usdc.fields.asset_code, usdc.fields.asset_issuer],
    );
    assert.equal(await held(smart, usdc.asset), 100n);
    assert.equal(await usdc.balanceOf(wallet.account), 0n);
    assert.equal(await nativeOf(wallet), before - body.data.fee_stroops);
  });

  it('many at once of one wallet, through channels: each is paid once, to the stroop', async () => {
    const wallet = await world.newWallet();
    const [had, before] = [await held(smart), await nativeOf(wallet)];
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        world.withdraw(wallet, { destination: smart, amount_stroops: 1_000 + index }),
      ),
    );
    for (const { status, body, text } of answers) {
      assert.equal(status, 201, text);
      assert.equal(body.data.status, 'confirmed', text);
    }
    const sum = answers.reduce((total, { body }) => total + body.data.amount_stroops, 0n);
    const fees = answers.reduce((total, { body }) => total + body.data.fee_stroops, 0n);
    assert.equal(await held(smart), had + sum);
    assert.equal(await nativeOf(wallet), before - sum - fees);
  });

  it('409 for a key that is used, also with another destination', async () => {
    const wallet = await world.newWallet();
    const key = unique('key');
    const order = { destination: smart, amount_stroops: 5 };
    assert.equal((await world.withdraw(wallet, order, { key })).status, 201);
    const had = await held(smart);
    const again = await world.withdraw(wallet, order, { key });
    assertError(again, 409, 'idempotency_key_reused');
    assert.equal(again.body.data.operation, 'contract_transfer');
    const other = await world.withdraw(wallet, { ...order, destination: wallet.account }, { key });
    assertError(other, 409, 'idempotency_key_mismatch');
    assert.equal(await held(smart), had);
  });
});

describe('a withdrawal to a muxed contract (W…)', () => {
  const LARGEST = 2n ** 64n - 1n;

  it('201 confirmed, as W… and as C… with memo_id: the event has the id, and the answer the destination as sent', async () => {
    const wallet = await world.newWallet();
    const had = await held(smart);
    for (const [order, id] of [
      [{ destination: muxed(LARGEST) }, LARGEST],
      [{ destination: smart, memo_id: 2n ** 53n + 1n }, 2n ** 53n + 1n],
      [{ destination: muxed(0n), memo_id: 0n }, 0n],
    ] as const) {
      const { status, body, text } = await world.withdraw(wallet, { ...order, amount_stroops: 1_000 });
      assert.equal(status, 201, text);
      const { data } = body;
      assert.deepEqual(
        [data.status, data.operation, data.destination, data.memo_id],
        ['confirmed', 'contract_transfer', order.destination, 'memo_id' in order ? order.memo_id : null],
      );
      assert.equal(await idInEvent(data.stellar_tx_hash), id);
      const { items } = (
        await world.api('GET', `/v1/wallets/${wallet.id}/transactions?search=${muxed(id)}`, {
          token: world.token,
        })
      ).body.data;
      assert.deepEqual(
        items.map((item: any) => item.id),
        [data.id],
        'found by its W… in either form',
      );
    }
    assert.equal(await held(smart), had + 3_000n);
  });

  it('201 confirmed, issued', async () => {
    const wallet = await holding(usdc, 100n);
    const had = await held(smart, usdc.asset);
    const order = { ...usdc.fields, destination: muxed(7n), amount_stroops: 100 };
    const { status, body, text } = await world.withdraw(wallet, order);
    assert.deepEqual([status, body.data.status], [201, 'confirmed'], text);
    assert.equal(await idInEvent(body.data.stellar_tx_hash), 7n);
    assert.equal(await held(smart, usdc.asset), had + 100n);
  });

  it('409 for a key that is used: both forms are one payment, another id is another', async () => {
    const wallet = await world.newWallet();
    const key = unique('key');
    const again = (order: object) => world.withdraw(wallet, { ...order, amount_stroops: 5 }, { key });
    assert.equal((await again({ destination: muxed(7n) })).status, 201);
    const had = await held(smart);
    assertError(await again({ destination: muxed(7n) }), 409, 'idempotency_key_reused');
    assertError(await again({ destination: smart, memo_id: 7 }), 409, 'idempotency_key_reused');
    for (const other of [
      { destination: smart },
      { destination: smart, memo_id: 8 },
      { destination: muxed(8n) },
    ])
      assertError(await again(other), 409, 'idempotency_key_mismatch');
    assert.equal(await held(smart), had);
  });

  it('400 ambiguous_destination when memo_id is not the id of the W…', async () => {
    const wallet = await world.newWallet();
    for (const memo_id of [8n, 0n, LARGEST])
      await refused(
        wallet,
        { destination: muxed(7n), memo_id, amount_stroops: 1 },
        code(400, 'ambiguous_destination'),
      );
  });

  it('422 for the W… of a contract that is no contract, or an asset’s', async () => {
    const wallet = await world.newWallet();
    const nobody = StrKey.encodeContract(Buffer.alloc(32, 7));
    const native_contract = native.contractId(ledger.passphrase);
    const order = { amount_stroops: 1 };
    await refused(wallet, { ...order, destination: muxed(7n, nobody) }, unsupported(/No contract exists/));
    await refused(wallet, { ...order, destination: nobody, memo_id: 7 }, unsupported(/No contract exists/));
    const own = { ...order, destination: muxed(7n, native_contract) };
    await refused(wallet, own, unsupported(/of the asset itself/));
  });

  it('a policy’s C… allows every W… of it; a W… only itself, in either form', async () => {
    const wallet = await world.newWallet();
    const allow = async (destination: string) => {
      const body = { destinations: [destination] };
      const path = `/v1/wallets/${wallet.id}/policy`;
      assert.equal((await world.api('PATCH', path, { token: world.token, body })).status, 200);
    };
    const paid = async (order: object) => {
      const { status, text } = await world.withdraw(wallet, { ...order, amount_stroops: 1 });
      assert.equal(status, 201, text);
    };
    const not_allowed = (order: object) =>
      refused(wallet, { ...order, amount_stroops: 1 }, code(422, 'policy_destination_not_allowed'));
    await allow(smart);
    await paid({ destination: muxed(7n) });
    await allow(muxed(7n));
    await paid({ destination: muxed(7n) });
    await paid({ destination: smart, memo_id: 7 });
    await not_allowed({ destination: smart });
    await not_allowed({ destination: smart, memo_id: 8 });
    await not_allowed({ destination: muxed(8n) });
  });

  it('the preview shows what a withdrawal would do, and names the same problems', async () => {
    const wallet = await world.newWallet();
    const order = { destination: muxed(7n), amount_stroops: 1_000 };
    const { operation, destination_exists, would_send, problems } = await preview(wallet, order);
    assert.deepEqual(
      [operation, destination_exists, would_send, problems],
      ['contract_transfer', true, true, []],
    );
    const nobody = muxed(7n, StrKey.encodeContract(Buffer.alloc(32, 8)));
    const [problem] = (await preview(wallet, { ...order, destination: nobody })).problems;
    assert.equal(problem.code, 'destination_not_supported');
  });
});

describe('a service on a network of protocol 28', () => {
  let older: TestService;
  let freeze: (account: string) => void;
  let token: string;
  let older_contract: string;
  const stops: (() => Promise<unknown>)[] = [];
  before(async () => {
    const log = createLog('silent', false);
    const old = await startSandbox({ port: 0, dir: null, close_ms: 200, protocol: 28, log, faults: true });
    freeze = (account) => old.faults?.network.freeze({ account });
    const storage = await createTestDatabase();
    const env = {
      DATABASE_URL: storage.url,
      MASTER_KEY: randomBytes(32).toString('base64'),
      STELLAR_RPC_URL: old.rpc_url,
      WITHDRAW_VALID_SECONDS: '8',
    };
    older = await startService({ data_dir: temporaryDirectory(), env });
    stops.push(older.stop, storage.drop, old.stop);
    token = await older.login();
    older_contract = (await deployTestContract(old.rpc_url)).contract;
  });
  after(async () => {
    for (const stop of stops) await stop();
  });
  const newWallet = async () => {
    const made = await older.api('POST', '/v1/wallets', { token, body: { name: 'w' } });
    return { path: `/v1/wallets/${made.body.data.id}`, account: made.body.data.account };
  };

  it('422 destination_not_supported for W… with the reason; the key stays free, and a plain contract is paid with it', async () => {
    const { path } = await newWallet();
    const headers = { 'idempotency-key': unique('key') };
    for (const order of [
      { destination: muxed(7n, older_contract) },
      { destination: older_contract, memo_id: 7 },
    ]) {
      const body = { ...order, amount_stroops: 1 };
      const answer = await older.api('POST', `${path}/withdraw`, { token, body, headers });
      unsupported(/at protocol 28, and muxed contracts .* from protocol 30 on/)(answer);
      const { problems } = (await older.api('POST', `${path}/withdraw/preview`, { token, body })).body.data;
      assert.deepEqual(problems, [{ code: 'destination_not_supported', message: answer.body.message }]);
    }
    const kept = await older.api('GET', `${path}/withdrawals`, { token });
    assert.deepEqual(kept.body.data.items, []);
    const body = { destination: older_contract, amount_stroops: 1 };
    const { status, text } = await older.api('POST', `${path}/withdraw`, { token, body, headers });
    assert.equal(status, 201, text);
  });

  it('what the network has frozen is named by the preview, and by the withdrawal that has failed when it expired', async () => {
    const { path, account } = await newWallet();
    freeze(account);
    const problemsOf = async (destination: string) => {
      const body = { destination, amount_stroops: 20_000_000 };
      return (await older.api('POST', `${path}/withdraw/preview`, { token, body })).body.data.problems;
    };
    const payee = (await newWallet()).account;
    await eventually(
      'the service reads what is frozen',
      async () => (await problemsOf(payee)).length || null,
    );
    for (const destination of [payee, older_contract]) {
      const [problem] = await problemsOf(destination);
      assert.equal(problem.code, 'tx_frozen_key_accessed');
      assert.match(problem.message, /^The network has frozen an account or a trust line/);
    }
    const body = { destination: payee, amount_stroops: 20_000_000 };
    const headers = { 'idempotency-key': unique('key') };
    const {
      status,
      body: answer,
      text,
    } = await older.api('POST', `${path}/withdraw`, { token, body, headers });
    assert.deepEqual(
      [status, answer.data.status, answer.data.failure.code],
      [201, 'failed', 'expired'],
      text,
    );
    assert.match(answer.data.failure.message, /^The network has frozen .* \(tx_frozen_key_accessed\)/);
  });
});

const refused = (wallet: Wallet, body: object, check: (answer: Answer) => void, service?: TestService) =>
  assertRefused(world, wallet, { body, check, service });

describe('refused before anything is kept', () => {
  it('400 for a C… that is no address', async () => {
    const wallet = await world.newWallet();
    const damaged = `${smart.slice(0, -1)}${smart.endsWith('A') ? 'B' : 'A'}`;
    await refused(wallet, { destination: damaged, amount_stroops: 1 }, (answer) =>
      assertFault(answer, '/destination'),
    );
  });

  it('422 for the asset’s own contract, another asset’s contract, no contract, and an archived one', async () => {
    const wallet = await holding(usdc, 10n);
    const own = (asset: Asset) => asset.contractId(ledger.passphrase);
    await refused(
      wallet,
      { destination: own(native), amount_stroops: 1 },
      unsupported(/of the asset itself/),
    );
    const issued = { ...usdc.fields, amount_stroops: 1 };
    await refused(wallet, { ...issued, destination: own(usdc.asset) }, unsupported(/of the asset itself/));
    await refused(wallet, { ...issued, destination: own(native) }, unsupported(/contract of an asset/));
    const nobody = StrKey.encodeContract(Buffer.alloc(32, 7));
    await refused(wallet, { destination: nobody, amount_stroops: 1 }, unsupported(/No contract exists/));
    const { contract: old } = await deployTestContract(rpc_url, 'archived');
    await refused(wallet, { destination: old, amount_stroops: 1 }, unsupported(/archived/));
  });

  it('what the network would refuse: too little, no line, not authorized', async () => {
    const wallet = await holding(usdc, 10n);
    const order = { ...usdc.fields, destination: smart };
    await refused(wallet, { ...order, amount_stroops: 11 }, code(422, 'transfer_would_fail'));
    const without = await world.newWallet();
    await refused(without, { ...order, amount_stroops: 1 }, (answer) => assertFault(answer, '/asset_code'));
    const careful = await newIssuer(ledger, 'CAREFUL', REQUIRED);
    const waiting = await holding(careful, 0n);
    await careful.authorize(waiting.account, 'full');
    await careful.pay(waiting.account, 5n);
    await refused(waiting, { ...careful.fields, destination: smart, amount_stroops: 1 }, (answer) => {
      assertError(answer, 422, 'transfer_would_fail');
      assert.match(answer.body.message, /destination is not authorized/);
    });
    await careful.authorize(waiting.account, 'none');
    await refused(
      waiting,
      { ...careful.fields, destination: smart, amount_stroops: 1 },
      code(422, 'transfer_would_fail'),
    );
  });

  it('422 wallet_unfunded when the whole declared fee is not there, and says what is needed', async () => {
    const wallet = await holding(usdc, 10n);
    const away = (await nativeOf(wallet)) - 3n * RESERVE - 300n;
    const { status } = await world.withdraw(wallet, {
      destination: usdc.key.publicKey(),
      amount_stroops: Number(away),
    });
    assert.equal(status, 201);
    await refused(wallet, { ...usdc.fields, destination: smart, amount_stroops: 1 }, (answer) => {
      assertError(answer, 422, 'wallet_unfunded');
      assert.match(answer.body.message, /needs \d+ stroops .* most of it comes back|most of it comes back/);
    });
  });

  it('422 by the policy: frozen, or not on the list; a C… on the list is paid', async () => {
    const wallet = await world.newWallet();
    const policy = (body: object) =>
      world.api('PATCH', `/v1/wallets/${wallet.id}/policy`, { token: world.token, body });
    assert.equal((await policy({ destinations: [wallet.account] })).status, 200);
    const order = { destination: smart, amount_stroops: 1 };
    await refused(wallet, order, code(422, 'policy_destination_not_allowed'));
    assert.equal((await policy({ destinations: [smart] })).status, 200);
    assert.equal((await world.withdraw(wallet, order)).status, 201);
    assert.equal((await policy({ frozen: true })).status, 200);
    await refused(wallet, order, code(422, 'policy_frozen'));
  });

  it('422 where the sources are Horizon servers only; 503 where no source answers; 422 fee_above_limit when CONTRACT_FEE_MAX_STROOPS does not allow the declared fee: it says what one costs now, and so does /readyz', async (t) => {
    const wallet = await world.newWallet();
    const horizon_url = new URL('/', rpc_url).href;
    const horizon = await startSecond(world, { STELLAR_RPC_URL: '', HORIZON_URL: horizon_url });
    t.after(() => horizon.stop());
    const order = { destination: smart, amount_stroops: 1 };
    await refused(wallet, order, unsupported(/Horizon cannot/), horizon);
    const proxy = await startRpcProxy(rpc_url);
    const thrifty = await startSecond(world, {
      STELLAR_RPC_URL: proxy.url,
      CONTRACT_FEE_MAX_STROOPS: '400000',
    });
    t.after(async () => {
      await thrifty.stop();
      await proxy.close();
    });
    for (const method of ['simulateTransaction', 'getLedgerEntries']) {
      proxy.treat(method, (call) => call.reset());
      await refused(wallet, order, code(503, 'network_unavailable'), thrifty);
    }
    proxy.honest();
    const { contract: unpaid } = await deployTestContract(rpc_url);
    await refused(
      wallet,
      { destination: unpaid, amount_stroops: 1 },
      (answer) => {
        assertError(answer, 422, 'fee_above_limit');
        assert.match(
          answer.body.message,
          /^The transfer must declare a fee of 454650 stroops, .* the 400000 /,
        );
        assert.match(answer.body.message, /A first transfer .* 454650 stroops now, and a later one 22408\.$/);
      },
      thrifty,
    );
    const { contract_calls } = await thrifty.checks();
    assert.equal(contract_calls?.ok, false);
    assert.match(
      contract_calls?.message ?? '',
      /^no first transfer to a contract can pass: .* 454650 stroops now/,
    );
    const { contract_calls: allowed } = await world.service.checks();
    assert.match(`${allowed?.ok} ${allowed?.message}`, /^true .* CONTRACT_FEE_MAX_STROOPS is 5000000$/);
  });
});

describe('the preview of a withdrawal to a contract', () => {
  it('shows the whole declared fee, and what would be left', async () => {
    const wallet = await world.newWallet();
    const balance = await nativeOf(wallet);
    const shown = await preview(wallet, { destination: smart, amount_stroops: 1_000 });
    assert.deepEqual(
      [shown.operation, shown.destination_exists, shown.would_send, shown.problems, shown.room_stroops],
      ['contract_transfer', true, true, [], null],
    );
    const resource_fee = shown.fee_stroops - 200n;
    assert.equal(shown.fee_max_stroops, resource_fee + FEE_MAX);
    assert.equal(shown.balance_after_stroops, balance - 1_000n - shown.fee_stroops);
  });

  it('shows the fee that is declared, expected and kept: to the stroop, for the first transfer to a contract and the next', async () => {
    const wallet = await holding(usdc, 100n);
    const { contract: unpaid } = await deployTestContract(rpc_url);
    const shownOf = async (order: object) =>
      (await preview(wallet, { ...order, destination: unpaid })).contract_fee;
    const native_order = { amount_stroops: 1_000 };
    const first = { declared_stroops: 454_650n, expected_stroops: 388_417n, kept_stroops: 11_603n };
    assert.deepEqual(await shownOf(native_order), first);
    for (const order of [
      native_order,
      native_order,
      { ...usdc.fields, amount_stroops: 1 },
      { ...usdc.fields, amount_stroops: 1 },
    ]) {
      const { declared_stroops, expected_stroops, kept_stroops } = await shownOf(order);
      assert.ok(kept_stroops < expected_stroops && expected_stroops < declared_stroops);
      const { status, body, text } = await world.withdraw(wallet, { ...order, destination: unpaid });
      assert.equal(status, 201, text);
      assert.equal(body.data.fee_stroops, expected_stroops, 'what comes back is not charged');
    }
    const payment = await preview(wallet, { ...native_order, destination: wallet.account });
    assert.equal(payment.contract_fee, null);
  });

  it('names each problem before, as the withdrawal would', async () => {
    const wallet = await world.newWallet();
    const nobody = StrKey.encodeContract(Buffer.alloc(32, 8));
    const problems = async (body: object) =>
      (await preview(wallet, body)).problems.map(({ code }: { code: string }) => code);
    assert.deepEqual(await problems({ destination: nobody, amount_stroops: 1 }), [
      'destination_not_supported',
    ]);
    const { problems: all, would_send } = await preview(wallet, {
      destination: smart,
      amount_stroops: 2n ** 62n,
    });
    assert.deepEqual([all[0].code, would_send], ['transfer_would_fail', false]);
  });
});
