/** API.md section 5: withdrawals to contracts (C…), by the contract of the asset. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Asset, StrKey } from '@stellar/stellar-sdk/base';
import { deployTestContract } from '../../sandbox/issuer-order.ts';
import type { Answer } from '../support/api.ts';
import { type Issuer, newIssuer, REQUIRED } from '../support/issuers.ts';
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
import type { TestService } from '../support/service.ts';

const RESERVE = 5_000_000n;
const FEE_MAX = 1_000_000n;

const world = await startRunningService({ FEE_MAX_STROOPS: `${FEE_MAX}` });
after(() => world.stop());
const { ledger } = world;
const { rpc_url } = world.service;
const native = Asset.native();
const usdc = await newIssuer(ledger);
const { contract: smart } = await deployTestContract(rpc_url);

/** What a contract has of an asset. */
async function held(contract: string, asset = native): Promise<bigint> {
  const { balanceEntry } = await ledger.server.getSACBalance(contract, asset, ledger.passphrase);
  return BigInt(balanceEntry?.amount ?? 0);
}
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

const refused = (wallet: Wallet, body: object, check: (answer: Answer) => void, service?: TestService) =>
  assertRefused(world, wallet, { body, check, service });

describe('refused before anything is kept', () => {
  const unsupported = (words: RegExp) => (answer: Answer) => {
    assertError(answer, 422, 'destination_not_supported');
    assert.match(answer.body.message, words);
  };
  const code = (status: number, expected: string) => (answer: Answer) =>
    void assertError(answer, status, expected);

  it('400 for a memo_id: a contract has no form for it', async () => {
    const wallet = await world.newWallet();
    const order = { destination: smart, amount_stroops: 1, memo_id: 7 };
    await refused(wallet, order, (answer) => assertFault(answer, '/memo_id'));
  });

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

  it('422 where the sources are Horizon servers only, and 503 where no source answers', async (t) => {
    const wallet = await world.newWallet();
    const horizon_url = new URL('/', rpc_url).href;
    const horizon = await startSecond(world, { STELLAR_RPC_URL: '', HORIZON_URL: horizon_url });
    t.after(() => horizon.stop());
    const order = { destination: smart, amount_stroops: 1 };
    await refused(wallet, order, unsupported(/Horizon cannot/), horizon);
    const proxy = await startRpcProxy(rpc_url);
    const away = await startSecond(world, { STELLAR_RPC_URL: proxy.url });
    t.after(async () => {
      await away.stop();
      await proxy.close();
    });
    for (const method of ['simulateTransaction', 'getLedgerEntries']) {
      proxy.treat(method, (call) => call.reset());
      await refused(wallet, order, code(503, 'network_unavailable'), away);
    }
  });

  it('422 fee_above_limit when FEE_MAX_STROOPS does not allow the declared fee', async (t) => {
    const wallet = await world.newWallet();
    const thrifty = await startSecond(world, { FEE_MAX_STROOPS: '1000' });
    t.after(() => thrifty.stop());
    await refused(wallet, { destination: smart, amount_stroops: 1 }, code(422, 'fee_above_limit'), thrifty);
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
    assert.equal(shown.fee_max_stroops, FEE_MAX);
    assert.ok(shown.fee_stroops > 1_000n && shown.fee_stroops <= FEE_MAX, `${shown.fee_stroops}`);
    assert.equal(shown.balance_after_stroops, balance - 1_000n - shown.fee_stroops);
    const { body } = await world.withdraw(wallet, { destination: smart, amount_stroops: 1_000 });
    assert.ok(body.data.fee_stroops < shown.fee_stroops, 'most of the declared fee comes back');
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
