/** Reusing an Idempotency-Key must not cause a second payment. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { rawCall } from '../support/raw-http.ts';
import { assertError, joinService, unique } from '../support/running-service.ts';

const world = await joinService();
after(() => world.stop());
const stranger = await world.newUser();
const wallet = await world.newWallet();
const payee = (await world.ledger.fund()).publicKey();

const accountOf = async (address: string) => {
  const account = await world.ledger.account(address);
  assert.ok(account);
  return account;
};

describe('the same Idempotency-Key 50 times at once', () => {
  it('gets one 201 and forty-nine 409 with data of that withdrawal; the ledger has one payment', async () => {
    const [own, their] = [await accountOf(wallet.account), await accountOf(payee)];
    const key = unique('storm');
    const body = { destination: payee, amount_stroops: 1_000_001n, memo_id: 5n };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => world.withdraw(wallet, body, { key })),
    );

    const won = answers.filter(({ status }) => status === 201);
    const lost = answers.filter(({ status }) => status === 409);
    assert.deepEqual([won.length, lost.length], [1, 49]);
    const withdrawal = won[0]?.body.data;
    assert.equal(withdrawal.status, 'confirmed');
    for (const answer of lost) {
      assertError(answer, 409);
      assert.match(answer.body.error.code, /^idempotency_key_(reused|in_flight)$/);
      const { data } = answer.body;
      assert.equal(data.id, withdrawal.id);
      assert.equal(data.idempotency_key, key);
      assert.equal(data.amount_stroops, 1_000_001n);
      assert.match(data.status, /^(pending|confirmed)$/);
      if (answer.body.error.code === 'idempotency_key_in_flight') assert.equal(data.status, 'pending');
    }

    const [own_after, their_after] = [await accountOf(wallet.account), await accountOf(payee)];
    assert.equal(their_after.balance - their.balance, 1_000_001n);
    assert.equal(own.balance - own_after.balance, 1_000_001n + withdrawal.fee_stroops);
    assert.equal(own_after.sequence - own.sequence, 1n, 'one transaction used one sequence number');
    assert.equal(
      (await world.query('select 1 from withdrawals where idempotency_key = $1', [key])).length,
      1,
    );
  });
});

describe('a key that was used', () => {
  it('409 idempotency_key_reused afterwards, with data equal to that of the 201, for ever', async () => {
    const key = unique('again');
    const body = { destination: payee, amount_stroops: 7n };
    const first = await world.withdraw(wallet, body, { key });
    const older = "update withdrawals set created_at = created_at - interval '400 days' where wallet_id = $1";
    await world.query(older, [wallet.id]);
    const own = await accountOf(wallet.account);
    for (let retry = 0; retry < 3; retry++) {
      const answer = await world.withdraw(wallet, body, { key });
      assertError(answer, 409, 'idempotency_key_reused');
      assert.deepEqual({ ...answer.body.data, created_at: null }, { ...first.body.data, created_at: null });
    }
    assert.deepEqual(await accountOf(wallet.account), own);
  });

  it('the same JSON in another order, spacing and null for absent is the same body', async () => {
    const key = unique('spacing');
    await world.withdraw(wallet, { destination: payee, amount_stroops: 7n }, { key });
    const same = ` { "memo_id" : null,\n"amount_stroops":7 , "destination" : "${payee}" } `;
    assertError(await world.withdraw(wallet, same, { key }), 409, 'idempotency_key_reused');
  });

  it('with another body: 409 idempotency_key_mismatch, with data of the first, and no payment', async () => {
    const key = unique('mismatch');
    const other = (await world.ledger.fund()).publicKey();
    const body = { destination: payee, amount_stroops: 7n };
    const first = await world.withdraw(wallet, body, { key });
    const before = await accountOf(wallet.account);
    for (const changed of [
      { ...body, amount_stroops: 8n },
      { ...body, destination: other },
      { ...body, memo_id: 0n },
    ]) {
      const answer = await world.withdraw(wallet, changed, { key });
      assertError(answer, 409, 'idempotency_key_mismatch');
      assert.deepEqual(answer.body.data, first.body.data);
    }
    assert.deepEqual(await accountOf(wallet.account), before);
  });

  it('of another wallet of the same user: 409 idempotency_key_mismatch, and no payment', async () => {
    const key = unique('across');
    const body = { destination: payee, amount_stroops: 7n };
    const first = await world.withdraw(wallet, body, { key });
    const second = await world.newWallet();
    const before = await accountOf(second.account);
    const answer = await world.withdraw(second, body, { key });
    assertError(answer, 409, 'idempotency_key_mismatch');
    assert.equal(answer.body.data.id, first.body.data.id);
    assert.deepEqual(await accountOf(second.account), before);
  });

  it('for a withdrawal that failed is used as well', async () => {
    const key = unique('failed');
    const body = { destination: payee, amount_stroops: 9_000_000_000_000_000_000n };
    const first = await world.withdraw(wallet, body, { key });
    assert.equal(first.body.data.status, 'failed');
    const again = await world.withdraw(wallet, body, { key });
    assertError(again, 409, 'idempotency_key_reused');
    assert.deepEqual(again.body.data, first.body.data);
  });

  it('by another user is independent: 201 for both, and neither sees the other’s', async () => {
    const key = unique('shared');
    const theirs = await world.newWallet(stranger.token);
    const body = { destination: payee, amount_stroops: 7n };
    const [mine, other] = await Promise.all([
      world.withdraw(wallet, body, { key }),
      world.withdraw(theirs, body, { key, token: stranger.token }),
    ]);
    assert.deepEqual([mine.status, other.status], [201, 201]);
    assert.notEqual(mine.body.data.stellar_tx_hash, other.body.data.stellar_tx_hash);
    const again = await world.withdraw(theirs, body, { key, token: stranger.token });
    assert.equal(again.body.data.id, other.body.data.id);
  });
});

describe('what a key is', () => {
  const body = () => ({ destination: payee, amount_stroops: 3n });

  it('1 to 255 characters', async () => {
    for (const key of ['x', 'k'.repeat(255)]) {
      const answer = await world.withdraw(wallet, body(), { key });
      assert.equal(answer.status, 201);
      assert.equal(answer.body.data.idempotency_key, key);
    }
  });

  it('told apart by upper and lower case', async () => {
    const key = unique('Case');
    const both = [key, key.toLowerCase()].map((each) => world.withdraw(wallet, body(), { key: each }));
    for (const { status } of await Promise.all(both)) assert.equal(status, 201);
  });

  it('any printable ASCII: quotes, commas, semicolons, SQL and percent signs', async () => {
    const key = `${unique('odd')}'";,=%00\\{}~!--`;
    const answer = await world.withdraw(wallet, body(), { key });
    assert.equal(answer.body.data.idempotency_key, key);
    assertError(await world.withdraw(wallet, body(), { key }), 409, 'idempotency_key_reused');
  });

  it('given whatever the spelling of the header’s name', async () => {
    const key = unique('name');
    const send = (name: string) =>
      rawCall(world.service.url, 'POST', `/v1/wallets/${wallet.id}/withdraw`, {
        headers: {
          authorization: `bearer ${world.token}`,
          'content-type': 'application/json; charset=utf-8',
          [name]: key,
        },
        body: JSON.stringify({ destination: payee, amount_stroops: 3 }),
      });
    assert.equal((await send('IDEMPOTENCY-KEY')).status, 201);
    assert.equal((await send('idempotency-key')).status, 409);
  });
});

describe('a refusal other than 409 leaves the key free', () => {
  it('400, 401, 404 and 422 do not use it up', async () => {
    const key = unique('free');
    const body = { destination: payee, amount_stroops: 3n };
    const elsewhere = { ...wallet, id: 'wal_0000000000000000000000000' };
    const theirs = await world.newWallet(stranger.token);
    const refused = [
      await world.withdraw(wallet, { ...body, amount_stroops: 0 }, { key }),
      await world.withdraw(wallet, '{', { key }),
      await world.withdraw(wallet, body, { key, token: wallet.api_key }),
      await world.withdraw(wallet, body, { key, token: 'nonsense' }),
      await world.withdraw(elsewhere, body, { key }),
      await world.withdraw(theirs, body, { key }),
    ];
    assert.deepEqual(
      refused.map(({ status }) => status),
      [400, 400, 401, 401, 404, 404],
    );
    assert.equal((await world.withdraw(wallet, body, { key })).status, 201);
  });
});

describe('a deposit address that is asked for again with its Idempotency-Key', () => {
  it('is made once: 201 with the first answer and Idempotency-Replayed, and 409 idempotency_key_mismatch for another body', async () => {
    const path = `/v1/wallets/${wallet.id}/addresses`;
    const headers = { 'idempotency-key': unique('address') };
    const create = (label: string) =>
      world.api('POST', path, { token: wallet.api_key, headers, body: { label, metadata: { customer: 1 } } });
    const [first, again] = [await create('Customer 1'), await create('Customer 1')];
    assert.deepEqual([first.status, again.status], [201, 201]);
    assert.deepEqual(
      [first, again].map((answer) => answer.headers.get('idempotency-replayed')),
      [null, 'true'],
    );
    assert.equal(again.text, first.text);
    assertError(await create('Customer 2'), 409, 'idempotency_key_mismatch');
    const { items } = (await world.api('GET', path, { token: wallet.api_key })).body.data;
    assert.deepEqual(
      items.map(({ id }: { id: string }) => id),
      [first.body.data.id],
    );
  });
});
