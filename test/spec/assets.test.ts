/** API.md section 5: the assets of a wallet, and their withdrawals. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Account, type Asset, Keypair, MuxedAccount, Operation } from '@stellar/stellar-sdk/base';
import type { Answer } from '../support/api.ts';
import { CLAWBACK, type Issuer, newIssuer, REQUIRED } from '../support/issuers.ts';
import { assertError, assertFault, joinService, type Wallet } from '../support/running-service.ts';

const RESERVE = 5_000_000n;
const FEE = 100n;
const LARGEST = 2n ** 63n - 1n;

const world = await joinService();
after(() => world.stop());
const { ledger } = world;
const usdc = await newIssuer(ledger);
const other = await newIssuer(ledger, 'EURC');

const pathOf = (wallet: Wallet, asset = '') => `/v1/wallets/${wallet.id}/assets${asset && `/${asset}`}`;
const add = (wallet: Wallet, body: unknown, token = world.token): Promise<Answer> =>
  world.api('POST', pathOf(wallet), { token, body });
const remove = (wallet: Wallet, asset: string, token = world.token): Promise<Answer> =>
  world.api('DELETE', pathOf(wallet, asset), { token });
const get = (wallet: Wallet, asset = '', token = world.token): Promise<Answer> =>
  world.api('GET', pathOf(wallet, asset), { token });
const listed = async (wallet: Wallet): Promise<any[]> => (await get(wallet)).body.data.items;
const nativeOf = async (wallet: Wallet) => (await ledger.account(wallet.account))?.balance ?? 0n;
const rowsOf = async (wallet: Wallet) =>
  Number((await world.query('select count(*) from withdrawals where wallet_id = $1', [wallet.id]))[0].count);

/** A wallet with the issuer's asset, and so much of it. */
async function holding(issuer: Issuer, stroops: bigint): Promise<Wallet> {
  const wallet = await world.newWallet();
  const { status, text } = await add(wallet, issuer.fields);
  assert.equal(status, 201, text);
  if (stroops > 0n) await issuer.pay(wallet.account, stroops);
  return wallet;
}
const pay = (wallet: Wallet, issuer: Issuer, body: object, key?: string): Promise<Answer> =>
  world.withdraw(wallet, { ...issuer.fields, ...body }, key === undefined ? {} : { key });

describe('POST …/assets makes a trust line', () => {
  it('201 when the ledger has the trust line, for the network’s fee', async () => {
    const wallet = await world.newWallet();
    const before = await nativeOf(wallet);
    const { status, body, text } = await add(wallet, usdc.fields);
    assert.equal(status, 201, text);
    const { created_at, ...rest } = body.data;
    assert.match(created_at, /^\d{4}-/);
    assert.deepEqual(rest, {
      ...usdc.fields,
      status: 'active',
      failure: null,
      issuer_flags: { auth_required: false, auth_revocable: false, clawback_enabled: false },
      clawback_enabled: false,
      home_domain: null,
      home_domain_check: null,
      verified: false,
      warning: null,
    });
    assert.equal(await usdc.balanceOf(wallet.account), 0n);
    assert.equal(await nativeOf(wallet), before - FEE);
    assert.deepEqual(await listed(wallet), [body.data]);
    assert.deepEqual((await get(wallet, usdc.text, wallet.api_key)).body.data, body.data);
  });

  it('the same again 200, and there is one change of the trust line', async () => {
    const wallet = await holding(usdc, 0n);
    const again = await add(wallet, usdc.fields);
    assert.equal(again.status, 200, again.text);
    assert.equal(again.body.data.status, 'active');
    assert.equal(await rowsOf(wallet), 1);
  });

  it('twenty times at once: one transaction, one 201, and all answers have the same asset', async () => {
    const wallet = await world.newWallet();
    const before = await nativeOf(wallet);
    const answers = await Promise.all(Array.from({ length: 20 }, () => add(wallet, usdc.fields)));
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [...Array(19).fill(200), 201]);
    for (const { body } of answers) assert.equal(body.data.status, 'active');
    assert.equal(await rowsOf(wallet), 1);
    assert.equal(await nativeOf(wallet), before - FEE);
  });

  it('what the issuer can do is shown before the asset is added, and nothing is kept', async () => {
    const careful = await newIssuer(ledger, 'CAREFUL', REQUIRED | CLAWBACK);
    await ledger.apply(careful.key, [Operation.setOptions({ homeDomain: 'example.com' })]);
    const wallet = await world.newWallet();
    const { body } = await get(wallet, careful.text, wallet.api_key);
    assert.deepEqual(
      [body.data.status, body.data.home_domain, body.data.clawback_enabled, body.data.created_at],
      ['absent', 'example.com', true, null],
    );
    assert.deepEqual(body.data.issuer_flags, {
      auth_required: true,
      auth_revocable: true,
      clawback_enabled: true,
    });
    assert.deepEqual(await listed(wallet), []);
    assert.equal(await rowsOf(wallet), 0);
  });

  it('an issued asset with a name of the native one has a warning', async () => {
    const wallet = await world.newWallet();
    const { asset_issuer } = usdc.fields;
    for (const code of ['XLM', 'xlm', 'Lumens']) {
      const { data } = (await get(wallet, `${code}:${asset_issuer}`)).body;
      assert.deepEqual([data.verified, data.status], [false, 'absent']);
      assert.match(data.warning, /not the native asset \(XLM\)/);
    }
    assert.equal((await get(wallet, usdc.text)).body.data.warning, null);
  });

  it('unauthorized until the issuer approves it, and after the issuer has withdrawn its approval', async () => {
    const careful = await newIssuer(ledger, 'CAREFUL', REQUIRED);
    const wallet = await world.newWallet();
    const { status, body } = await add(wallet, careful.fields);
    assert.deepEqual([status, body.data.status], [201, 'unauthorized']);
    const seen: string[] = [];
    for (const to of ['full', 'maintain_liabilities', 'none', 'full'] as const) {
      await careful.authorize(wallet.account, to);
      seen.push((await get(wallet, careful.text)).body.data.status);
    }
    assert.deepEqual(seen, ['active', 'maintain_liabilities', 'unauthorized', 'active']);
  });

  it('422 wallet_unfunded says what is needed, and keeps nothing', async () => {
    const wallet = await world.newWallet();
    const balance = await nativeOf(wallet);
    const rest = 2n * RESERVE + RESERVE; // one stroop and the fee are missing for the next entry
    const away = balance - rest - FEE;
    const destination = (await ledger.fund()).publicKey();
    assert.equal((await world.withdraw(wallet, { destination, amount_stroops: away })).status, 201);
    const answer = await add(wallet, usdc.fields);
    assertError(answer, 422, 'wallet_unfunded');
    assert.match(answer.body.message, new RegExp(`needs ${RESERVE + FEE} stroops.*lacks ${FEE}\\b`));
    assert.equal(await usdc.balanceOf(wallet.account), null);
    assert.deepEqual(await listed(wallet), []);
  });

  it('400 names the field of what is no asset, and keeps nothing', async () => {
    const wallet = await world.newWallet();
    const { asset_code, asset_issuer } = usdc.fields;
    const faults: [unknown, string][] = [
      [{ asset_code, asset_issuer: Keypair.random().publicKey() }, '/asset_issuer'],
      [{ asset_code, asset_issuer: asset_issuer.toLowerCase() }, '/asset_issuer'],
      [{ asset_code, asset_issuer: wallet.account }, '/asset_issuer'],
      [{ asset_code, asset_issuer: null }, '/asset_issuer'],
      [{ asset_code }, '/asset_issuer'],
      [{ asset_issuer }, '/asset_code'],
      [{ asset_code: '', asset_issuer }, '/asset_code'],
      [{ asset_code: 'ABCDEFGHIJKLM', asset_issuer }, '/asset_code'],
      [{ asset_code: 'US-C', asset_issuer }, '/asset_code'],
      [{ asset_code: 'native', asset_issuer }, '/asset_issuer'],
      [{ asset_code: 7n, asset_issuer }, '/asset_code'],
      [{ asset_code, asset_issuer, limit: 5n }, '/limit'],
    ];
    for (const [body, path] of faults) assertFault(await add(wallet, body), path);
    for (const text of ['native', 'USDC', `USDC:${asset_issuer}x`, `:${asset_issuer}`])
      assertError(await get(wallet, encodeURIComponent(text)), 400);
    assert.equal(await rowsOf(wallet), 0);
  });

  it('401 refuses an API key, 404 a foreign login, and neither changes anything', async () => {
    const wallet = await holding(usdc, 0n);
    const stranger = await world.newUser();
    assertError(await add(wallet, other.fields, wallet.api_key), 401);
    assertError(await remove(wallet, usdc.text, wallet.api_key), 401);
    assertError(await add(wallet, other.fields, stranger.token), 404);
    assertError(await remove(wallet, usdc.text, stranger.token), 404);
    assertError(await get(wallet, '', stranger.token), 404);
    assert.equal(await rowsOf(wallet), 1);
  });

  it('its transaction is in no list of withdrawals, and has no page of its own', async () => {
    const wallet = await holding(usdc, 0n);
    const [row] = await world.query('select id from withdrawals where wallet_id = $1', [wallet.id]);
    const path = `/v1/wallets/${wallet.id}/withdrawals`;
    assert.deepEqual((await world.api('GET', path, { token: world.token })).body.data.items, []);
    assertError(await world.api('GET', `${path}/${row.id}`, { token: world.token }), 404);
  });
});

describe('DELETE …/assets/CODE:ISSUER removes the trust line', () => {
  it('200 when the ledger has removed it; it can be added again', async () => {
    const wallet = await holding(usdc, 0n);
    const { status, body } = await remove(wallet, usdc.text);
    assert.deepEqual([status, body.data.status], [200, 'absent']);
    assert.equal(await usdc.balanceOf(wallet.account), null);
    assert.deepEqual(await listed(wallet), []);
    assertError(await remove(wallet, usdc.text), 404);
    assert.equal((await add(wallet, usdc.fields)).status, 201);
    assert.equal(await usdc.balanceOf(wallet.account), 0n);
  });

  it('422 asset_not_empty while the wallet holds some, and keeps nothing', async () => {
    const wallet = await holding(usdc, 1n);
    assertError(await remove(wallet, usdc.text), 422, 'asset_not_empty');
    assert.equal(await usdc.balanceOf(wallet.account), 1n);
    assert.equal(await rowsOf(wallet), 1);
  });

  it('404 for an asset that the wallet does not have', async () => {
    const wallet = await holding(usdc, 0n);
    assertError(await remove(wallet, other.text), 404);
    assertError(await remove(await world.newWallet(), usdc.text), 404);
  });

  it('an unauthorized trust line without balance can be removed', async () => {
    const careful = await newIssuer(ledger, 'CAREFUL', REQUIRED);
    const wallet = await holding(careful, 0n);
    assert.equal((await remove(wallet, careful.text)).status, 200);
    assert.equal(await careful.balanceOf(wallet.account), null);
  });
});

describe('POST …/withdraw with asset_code and asset_issuer', () => {
  it('201 confirmed: exactly that amount of that asset has moved, and the fee is native', async () => {
    const wallet = await holding(usdc, LARGEST);
    const payee = (await usdc.holder(0n)).publicKey();
    const native = await nativeOf(wallet);
    const amount_stroops = 9_007_199_254_740_993n;
    const { status, body, text } = await pay(wallet, usdc, { destination: payee, amount_stroops });
    assert.equal(status, 201, text);
    const { data } = body;
    assert.deepEqual(
      [data.status, data.operation, data.asset_code, data.asset_issuer, data.amount_stroops],
      ['confirmed', 'payment', usdc.fields.asset_code, usdc.fields.asset_issuer, amount_stroops],
    );
    assert.equal(await usdc.balanceOf(payee), amount_stroops);
    assert.equal(await usdc.balanceOf(wallet.account), LARGEST - amount_stroops);
    assert.equal(await nativeOf(wallet), native - data.fee_stroops);
    const { envelope } = await ledger.transaction(data.stellar_tx_hash);
    const [operation] = envelope.operations;
    assert.ok(operation?.type === 'payment');
    assert.ok(operation.asset.equals(usdc.asset));
  });

  it('neither field means native: the asset of the answer is native with null', async () => {
    const wallet = await holding(usdc, 5n);
    const payee = (await ledger.fund()).publicKey();
    for (const named of [{}, { asset_code: 'native' }, { asset_code: null, asset_issuer: null }]) {
      const { body } = await world.withdraw(wallet, { destination: payee, amount_stroops: 7n, ...named });
      assert.deepEqual([body.data.asset_code, body.data.asset_issuer], ['native', null]);
    }
    assert.equal(await usdc.balanceOf(wallet.account), 5n);
  });

  it('M… and memo_id name the recipient as they do for the native asset', async () => {
    const wallet = await holding(usdc, 50n);
    const payee = (await usdc.holder(0n)).publicKey();
    const muxed = new MuxedAccount(new Account(payee, '0'), '77').accountId();
    const one = await pay(wallet, usdc, { destination: muxed, amount_stroops: 1n });
    assert.deepEqual([one.body.data.status, one.body.data.destination], ['confirmed', muxed]);
    const two = await pay(wallet, usdc, { destination: payee, amount_stroops: 2n, memo_id: 9n });
    assert.equal(two.body.data.memo_id, 9n);
    assert.equal(await usdc.balanceOf(payee), 3n);
  });

  it('409 with the key of another asset: the asset is part of what the key is compared by', async () => {
    const wallet = await holding(usdc, 50n);
    const destination = (await usdc.holder(0n)).publicKey();
    const body = { destination, amount_stroops: 5n };
    const key = 'one key for one asset';
    assert.equal((await pay(wallet, usdc, body, key)).status, 201);
    assertError(await world.withdraw(wallet, body, { key }), 409, 'idempotency_key_mismatch');
    assertError(await pay(wallet, other, body, key), 409, 'idempotency_key_mismatch');
    const same = await pay(wallet, usdc, body, key);
    assertError(same, 409, 'idempotency_key_reused');
    assert.equal(same.body.data.asset_code, 'USDC');
    assert.equal(await usdc.balanceOf(destination), 5n);
  });

  it('201 failed with the network’s words, the destination first, and the preview says each before', async () => {
    const careful = await newIssuer(ledger, 'CAREFUL', REQUIRED);
    const wallet = await holding(careful, 0n);
    await careful.authorize(wallet.account, 'full');
    await careful.pay(wallet.account, 20n);
    const absent = Keypair.random().publicKey();
    const without = (await ledger.fund()).publicKey();
    const full = (await careful.holder(0n, 10n)).publicKey();
    const barred = (await careful.holder(0n)).publicKey();
    const open = (await careful.holder(0n)).publicKey();
    await careful.authorize(barred, 'maintain_liabilities');
    const failures: [string, bigint, string][] = [
      [absent, 5n, 'op_no_destination'],
      [without, 500n, 'op_no_trust'],
      [barred, 500n, 'op_not_authorized'],
      [full, 11n, 'op_line_full'],
      [full, 500n, 'op_line_full'],
      [open, 21n, 'op_underfunded'],
    ];
    const check = async (destination: string, amount_stroops: bigint, code: string) => {
      const body = { ...careful.fields, destination, amount_stroops };
      const path = `/v1/wallets/${wallet.id}/withdraw/preview`;
      const preview = await world.api('POST', path, { token: world.token, body });
      assert.equal(preview.status, 200, preview.text);
      assert.deepEqual(
        preview.body.data.problems.map((problem: any) => problem.code),
        [code],
      );
      assert.equal(preview.body.data.would_send, true);
      const { status, body: answer, text } = await world.withdraw(wallet, body);
      assert.equal(status, 201, text);
      const { failure } = answer.data;
      assert.deepEqual([answer.data.status, failure.code], ['failed', code]);
      assert.ok(failure.message.length > 20);
      assert.equal(preview.body.data.problems[0].message, failure.message);
      if (code === 'op_underfunded') assert.doesNotMatch(failure.message, /reserve|fee/, 'which are native');
    };
    for (const [destination, amount, code] of failures) await check(destination, amount, code);
    await careful.authorize(wallet.account, 'maintain_liabilities');
    await check(open, 500n, 'op_src_not_authorized');
    assert.equal(await careful.balanceOf(wallet.account), 20n);
  });

  it('a payment to itself needs room in the trust line, and no balance', async () => {
    const wallet = await holding(usdc, 50n);
    const body = { ...usdc.fields, destination: wallet.account, amount_stroops: 51n };
    const path = `/v1/wallets/${wallet.id}/withdraw/preview`;
    const preview = await world.api('POST', path, { token: world.token, body });
    assert.deepEqual(preview.body.data.problems, []);
    assert.equal((await world.withdraw(wallet, body)).body.data.status, 'confirmed');
    const most = { ...body, amount_stroops: LARGEST - 49n };
    const refused = await world.api('POST', path, { token: world.token, body: most });
    assert.deepEqual(
      refused.body.data.problems.map(({ code }: any) => code),
      ['op_line_full'],
    );
    assert.equal(refused.body.data.room_stroops, LARGEST - 50n);
    assert.equal((await world.withdraw(wallet, most)).body.data.failure.code, 'op_line_full');
    assert.equal(await usdc.balanceOf(wallet.account), 50n);
  });

  it('422 destination_is_issuer keeps nothing; with allow_issuer the amount is destroyed', async () => {
    const wallet = await holding(usdc, 50n);
    const body = { destination: usdc.fields.asset_issuer, amount_stroops: 20n };
    assertError(await pay(wallet, usdc, body), 422, 'destination_is_issuer');
    assertError(await pay(wallet, usdc, { ...body, allow_issuer: false }), 422, 'destination_is_issuer');
    const muxed = new MuxedAccount(new Account(body.destination, '0'), '7').accountId();
    assertError(await pay(wallet, usdc, { ...body, destination: muxed }), 422, 'destination_is_issuer');
    assert.equal(await usdc.balanceOf(wallet.account), 50n);
    assert.equal((await pay(wallet, usdc, { ...body, allow_issuer: true })).body.data.status, 'confirmed');
    assert.equal(await usdc.balanceOf(wallet.account), 30n);
  });

  it('400 names the field of an asset that the wallet does not have, or that is no asset; nothing is kept', async () => {
    const [wallet, foreign] = [await holding(usdc, 50n), await holding(other, 50n)];
    assert.equal(await other.balanceOf(foreign.account), 50n);
    const destination = (await usdc.holder(0n)).publicKey();
    const { asset_code, asset_issuer } = usdc.fields;
    const faults: [object, string][] = [
      [other.fields, '/asset_code'],
      [{ asset_code: 'usdc', asset_issuer }, '/asset_code'],
      [{ asset_code }, '/asset_issuer'],
      [{ asset_issuer }, '/asset_code'],
      [{ asset_code: '', asset_issuer }, '/asset_code'],
      [{ asset_code: 'ABCDEFGHIJKLM', asset_issuer }, '/asset_code'],
      [{ asset_code: 'native', asset_issuer }, '/asset_issuer'],
      [{ asset_code: 'XLM' }, '/asset_issuer'],
      [{ asset_code, asset_issuer: asset_issuer.toLowerCase() }, '/asset_issuer'],
    ];
    const rows = await rowsOf(wallet);
    for (const [asset, path] of faults)
      assertFault(await world.withdraw(wallet, { destination, amount_stroops: 1n, ...asset }), path);
    assert.equal(await rowsOf(wallet), rows);
    assert.equal(await usdc.balanceOf(wallet.account), 50n);
  });

  it('422 wallet_unfunded when the native balance cannot pay the fee, with what is needed; the key stays free', async () => {
    const wallet = await holding(usdc, 50n);
    const destination = (await usdc.holder(0n)).publicKey();
    const native = await nativeOf(wallet);
    const away = native - 3n * RESERVE - FEE - 99n;
    assert.equal((await world.withdraw(wallet, { destination, amount_stroops: away })).status, 201);
    const body = { destination, amount_stroops: 5n };
    const answer = await pay(wallet, usdc, body, 'kept free');
    assertError(answer, 422, 'wallet_unfunded');
    assert.match(answer.body.message, /needs 100 stroops above its reserve, and lacks 1 stroop:/);
    await ledger.pay(ledger.root, wallet.account, 1n);
    assert.equal((await pay(wallet, usdc, body, 'kept free')).body.data.status, 'confirmed');
  });

  it('withdrawals of two assets at once: each is paid from its own balance', async () => {
    const wallet = await holding(usdc, 50n);
    assert.equal((await add(wallet, other.fields)).status, 201);
    await other.pay(wallet.account, 70n);
    const payee = await usdc.holder(0n);
    await ledger.apply(payee, [Operation.changeTrust({ asset: other.asset as Asset })]);
    const destination = payee.publicKey();
    const native = await ledger.account(destination);
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => pay(wallet, usdc, { destination, amount_stroops: 10n })),
      ...Array.from({ length: 5 }, () => pay(wallet, other, { destination, amount_stroops: 14n })),
      world.withdraw(wallet, { destination, amount_stroops: 3n }),
    ]);
    for (const { body, text } of answers) assert.equal(body.data.status, 'confirmed', text);
    assert.deepEqual(await Promise.all([usdc, other].map((each) => each.balanceOf(destination))), [50n, 70n]);
    assert.deepEqual(await Promise.all([usdc, other].map((each) => each.balanceOf(wallet.account))), [
      0n,
      0n,
    ]);
    assert.equal((await ledger.account(destination))?.balance, (native?.balance ?? 0n) + 3n);
  });
});
