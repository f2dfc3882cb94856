/** Who may withdraw, and which refusal comes before which. */
import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { Operation } from '@stellar/stellar-sdk/base';
import type { Answer, Call } from '../support/api.ts';
import { assertError, joinService, unique } from '../support/running-service.ts';

const NOWHERE = 'wal_00000000000000000000000000';

const world = await joinService();
after(() => world.stop());
const stranger = await world.newUser();
const wallet = await world.newWallet();
const foreign = await world.newWallet(stranger.token);
const valid = { destination: (await world.ledger.fund()).publicKey(), amount_stroops: 5n };

let rows: number;
let balance: bigint | undefined;
beforeEach(async () => {
  rows = await world.countOf('withdrawals');
  balance = (await world.ledger.account(wallet.account))?.balance;
});

const to = (id: string, body: unknown, options?: Call & { key?: string }): Promise<Answer> =>
  world.withdraw({ ...wallet, id }, body, options);

describe('401 refuses an API key and writes no row', () => {
  afterEach(async () => {
    assert.equal(await world.countOf('withdrawals'), rows, 'no row');
    assert.equal((await world.ledger.account(wallet.account))?.balance, balance, 'no payment');
  });

  const refused = async (id: string, body: unknown, token: string) => {
    assertError(await to(id, body, { token }), 401);
  };

  it('for its own wallet', () => refused(wallet.id, valid, wallet.api_key));
  it('for a wallet that does not exist', () => refused(NOWHERE, valid, wallet.api_key));
  it('for a foreign wallet', () => refused(foreign.id, valid, wallet.api_key));
  it('for an id that cannot be one', () => refused('%00%2e%2e%2f', valid, wallet.api_key));
  it('whatever the body', async () => {
    for (const body of [{}, { ...valid, memoid: 1 }, '{', '[]', '', 'x'.repeat(1000)]) {
      await refused(wallet.id, body, wallet.api_key);
    }
  });
  it('with a body over 64 KiB or of another type', async () => {
    const large = { ...valid, padding: 'x'.repeat(70_000) };
    await refused(wallet.id, large, wallet.api_key);
    const headers = { 'content-type': 'text/plain' };
    assertError(await to(wallet.id, 'x', { token: wallet.api_key, headers }), 401);
  });
  it('without an Idempotency-Key', async () => {
    const path = `/v1/wallets/${wallet.id}/withdraw`;
    assertError(await world.api('POST', path, { token: wallet.api_key, body: valid }), 401);
  });
  it('with a key already used', async () => {
    const key = unique('used');
    assert.equal((await to(wallet.id, valid, { key })).status, 201);
    ({ balance } = (await world.ledger.account(wallet.account)) ?? {});
    rows++;
    assertError(await to(wallet.id, valid, { key, token: wallet.api_key }), 401);
  });
  it('that is not valid: svc_sk_test_ and anything, of another network, cut short', async () => {
    for (const token of [
      'svc_sk_test_',
      `svc_sk_test_${'A'.repeat(43)}`,
      'svc_sk_live_abc',
      wallet.api_key.slice(0, -1),
      `${wallet.api_key}x`,
    ]) {
      await refused(wallet.id, valid, token);
    }
  });
  it('says that a login is required', async () => {
    assertError(await to(wallet.id, valid, { token: wallet.api_key }), 401, 'login_required');
    assertError(await to(NOWHERE, {}, { token: wallet.api_key }), 401, 'login_required');
  });
});

describe('the order of checks', () => {
  it('credential before wallet: without one 401, whatever the wallet and body', async () => {
    for (const token of ['', 'x', 'a.b.c']) {
      assertError(await to(wallet.id, {}, { token }), 401);
      assertError(await to(NOWHERE, {}, { token }), 401);
    }
  });

  it('wallet before header and body: 404 for a foreign and a missing wallet alike', async () => {
    for (const id of [foreign.id, NOWHERE]) {
      for (const body of [{}, { ...valid, memoid: 1 }, valid, '{', '[1', 'x'.repeat(1000)]) {
        const answer = await to(id, body);
        assertError(answer, 404, 'not_found');
      }
      const path = `/v1/wallets/${id}/withdraw`;
      assertError(await world.api('POST', path, { token: world.token, body: valid }), 404, 'not_found');
    }
  });

  it('a foreign wallet and a missing one cannot be told apart by the text', async () => {
    const [one, other] = [await to(foreign.id, valid), await to(NOWHERE, valid)];
    const words = ({ text, body }: Answer, id: string) =>
      text.replaceAll(body.error.request_id, '').replaceAll(id, '');
    assert.equal(words(one, foreign.id), words(other, NOWHERE));
  });

  it('body before used key: 400 with a key that was used', async () => {
    const key = unique('used');
    assert.equal((await to(wallet.id, valid, { key })).status, 201);
    assertError(await to(wallet.id, { ...valid, amount_stroops: 0 }, { key }), 400);
    assertError(await to(wallet.id, { ...valid, memoid: 0 }, { key }), 400);
  });

  it('used key before the network: 409 even when the destination now requires a memo', async () => {
    const shop = await world.ledger.fund();
    const body = { destination: shop.publicKey(), amount_stroops: 5n };
    const key = unique('used');
    const first = await to(wallet.id, body, { key });
    assert.equal(first.body.data.status, 'confirmed');
    await world.ledger.apply(shop, [Operation.manageData({ name: 'config.memo_required', value: '1' })]);
    assertError(await to(wallet.id, body, { key }), 409, 'idempotency_key_reused');
    assertError(await to(wallet.id, body), 400, 'memo_required');
  });
});
