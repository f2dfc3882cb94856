/** The promises hold for the whole service, not for one process: here two processes use the same database. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertError, joinService, startSecond, unique } from '../support/running-service.ts';
import type { TestService } from '../support/service.ts';

const world = await joinService();
let second: TestService;
before(async () => {
  second = await startSecond(world);
});
after(async () => {
  const code = await second.stop();
  await world.stop();
  assert.equal(code, 0, second.output());
});

describe('on a second process', () => {
  it('an API key is dead at once after it was regenerated on the first', async () => {
    const { id, api_key } = await world.newWallet();
    const path = `/v1/wallets/${id}`;
    for (let round = 0, old_key = api_key; round < 5; round++) {
      assert.equal((await second.api('GET', path, { token: old_key })).status, 200);
      const { body } = await world.api('POST', `${path}/api-key/regenerate`, { token: world.token });
      assertError(await second.api('GET', path, { token: old_key }), 401);
      old_key = body.data.api_key;
    }
  });

  it('a login token works, and is dead at once after logout on the first', async () => {
    const token = await world.service.login();
    assert.equal((await second.api('GET', '/v1/auth/me', { token })).status, 200);
    assert.equal((await world.api('POST', '/v1/auth/logout', { token })).status, 200);
    assertError(await second.api('GET', '/v1/auth/me', { token }), 401);
  });

  it('the same Idempotency-Key, 25 times at once on each: one 201, forty-nine 409, one payment', async () => {
    const wallet = await world.newWallet();
    const payee = (await world.ledger.fund()).publicKey();
    const before = await world.ledger.account(payee);
    const own = await world.ledger.account(wallet.account);
    const key = unique('both');
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        [world.service, second][index % 2]?.api('POST', `/v1/wallets/${wallet.id}/withdraw`, {
          token: world.token,
          headers: { 'idempotency-key': key },
          body: { destination: payee, amount_stroops: 11 },
        }),
      ),
    );
    const won = answers.filter((answer) => answer?.status === 201);
    assert.equal(won.length, 1);
    for (const answer of answers) {
      if (answer?.status !== 201) assert.equal(answer?.status, 409);
      assert.equal(answer?.body.data.id, won[0]?.body.data.id);
    }
    assert.equal((await world.ledger.account(payee))?.balance, (before?.balance ?? 0n) + 11n);
    assert.equal((await world.ledger.account(wallet.account))?.sequence, (own?.sequence ?? 0n) + 1n);
  });

  it('withdrawals of one wallet on both at once are all paid, each once', async () => {
    const wallet = await world.newWallet();
    const payee = (await world.ledger.fund()).publicKey();
    const before = await world.ledger.account(payee);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        [world.service, second][index % 2]?.api('POST', `/v1/wallets/${wallet.id}/withdraw`, {
          token: world.token,
          headers: { 'idempotency-key': unique('each') },
          body: { destination: payee, amount_stroops: 10 ** index },
        }),
      ),
    );
    for (const answer of answers) assert.equal(answer?.body.data?.status, 'confirmed', answer?.text);
    assert.equal((await world.ledger.account(payee))?.balance, (before?.balance ?? 0n) + 111_111n);
  });

  it('a deposit is recorded once, though both could read it', async () => {
    const wallet = await world.newWallet();
    const payer = await world.ledger.fund();
    const { hash } = await world.ledger.pay(payer, wallet.account, 77n);
    await world.depositsOf(wallet, hash);
    const { hash: later } = await world.ledger.pay(payer, wallet.account, 78n);
    await world.depositsOf(wallet, later);
    const rows = await world.query('select 1 from deposits where stellar_tx_hash = $1', [hash]);
    assert.equal(rows.length, 1);
  });
});
