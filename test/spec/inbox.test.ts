/** Deposits that name no known address. The owner assigns each to an address, or pays it back. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Account, Asset, MuxedAccount, Operation } from '@stellar/stellar-sdk/base';
import { type Answer, fromJson } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { memoId } from '../support/ledger.ts';
import { startReceiver } from '../support/receiver.ts';
import { assertError, assertFault, joinService } from '../support/running-service.ts';

const UNIT = 10_000_000n;
const METADATA = '{"b":1,"a":12345678901234567890}';
const NO_ID = '0'.repeat(26);

const world = await joinService('receivers');
const receiver = await startReceiver();
const stranger = await world.newUser();
const wallet = await world.newWallet();
const payer = await world.ledger.fund();
await world.api('POST', `/v1/wallets/${wallet.id}/webhooks`, {
  token: wallet.api_key,
  body: { url: receiver.url },
});
after(async () => {
  await receiver.close();
  await world.stop();
});

const base = (of = wallet) => `/v1/wallets/${of.id}`;

async function newAddress(of = wallet): Promise<any> {
  const answer = await world.api('POST', `${base(of)}/addresses`, {
    token: of.api_key,
    body: `{"metadata":${METADATA}}`,
  });
  return answer.body.data;
}

/** A deposit that nobody knows whom it is for. */
async function newUnattributedDeposit({ of = wallet, amount = 5n, from = payer } = {}): Promise<any> {
  const { hash } = await world.ledger.pay(from, of.account, amount);
  const [deposit] = await world.depositsOf(of, hash);
  assert.equal(deposit.attributed, false);
  return deposit;
}

const assign = (deposit_id: string, body: unknown, { token = world.token, of = wallet } = {}) =>
  world.api('POST', `${base(of)}/deposits/${deposit_id}/assign`, { token, body });
const refund = (deposit_id: string, { token = world.token, of = wallet, body = {} } = {}) =>
  world.api('POST', `${base(of)}/deposits/${deposit_id}/refund`, { token, body });
const read = async (deposit_id: string, of = wallet): Promise<any> =>
  (await world.api('GET', `${base(of)}/deposits/${deposit_id}`, { token: of.api_key })).body.data;
const eventsOf = (deposit_id: string) =>
  world.query(`select 1 from webhook_events where position($1::bytea in body) > 0`, [deposit_id]);
const refundsOf = (deposit_id: string) =>
  world.query('select id, status from withdrawals where refund_of = $1 order by id', [deposit_id]);
const balanceOf = async (address: string) => (await world.ledger.account(address))?.balance ?? 0n;
const codesOf = (answers: Answer[]) =>
  answers.map(({ status, body }) => (status < 300 ? `${status}` : body.error.code)).sort();

describe('the inbox', () => {
  it('is the list of deposits with attributed=false; each says how it came and with which memo', async () => {
    const { hash } = await world.ledger.pay(payer, wallet.account, 5n, { memo: memoId(77n) });
    const [deposit] = await world.depositsOf(wallet, hash);
    const { kind, memo_id, memo_type, memo, refund_withdrawal_id } = deposit;
    assert.deepEqual(
      { kind, memo_id, memo_type, memo, refund_withdrawal_id },
      { kind: 'payment', memo_id: 77n, memo_type: 'id', memo: '77', refund_withdrawal_id: null },
    );
    const list = `${base()}/deposits?attributed=false`;
    const listed = async () =>
      (await world.api('GET', list, { token: wallet.api_key })).body.data.items.map(({ id }: any) => id);
    assert.ok((await listed()).includes(deposit.id));
    assert.equal((await assign(deposit.id, { address_id: (await newAddress()).id })).status, 200);
    assert.ok(!(await listed()).includes(deposit.id));
  });
});

describe('assign', () => {
  it('200: the deposit is the address’s, by hand, with its memo id and metadata; deposit.created says the same, once', async () => {
    const [deposit, address] = [await newUnattributedDeposit(), await newAddress()];
    const answer = await assign(deposit.id, { address_id: address.id });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body.data, {
      ...deposit,
      address_id: address.id,
      memo_id: address.memo_id,
      attributed: true,
      assigned_by_hand: true,
      metadata: fromJson(METADATA),
    });
    assert.ok(answer.text.includes(`"metadata":${METADATA}`));
    assert.deepEqual(await read(deposit.id), answer.body.data);
    const event = await eventually('the event', () =>
      receiver.requests.find(({ body }) => body.includes(deposit.id)),
    );
    const data = answer.text.slice(answer.text.indexOf('"data":{') + 7, -1);
    assert.equal(event.body.toString(), `{"event":"deposit.created","data":${data}}`);
    assert.equal((await eventsOf(deposit.id)).length, 1);
    const own = `${base()}/deposits?address_id=${address.id}`;
    const { body } = await world.api('GET', own, { token: wallet.api_key });
    assert.deepEqual(body.data.items, [answer.body.data]);
  });

  it('409 deposit_attributed with the deposit as data: assigned before, or attributed by its memo', async () => {
    const [deposit, address, other] = [
      await newUnattributedDeposit(),
      await newAddress(),
      await newAddress(),
    ];
    const first = await assign(deposit.id, { address_id: address.id });
    for (const address_id of [address.id, other.id]) {
      const again = await assign(deposit.id, { address_id });
      assertError(again, 409, 'deposit_attributed');
      assert.deepEqual(again.body.data, first.body.data);
    }
    const { hash } = await world.ledger.pay(payer, address.address, 5n);
    const [attributed] = await world.depositsOf(wallet, hash);
    assertError(await assign(attributed.id, { address_id: other.id }), 409, 'deposit_attributed');
    assert.equal((await eventsOf(attributed.id)).length, 1);
  });

  it('many at once: one wins, the others hear 409, one event', async () => {
    const deposit = await newUnattributedDeposit();
    const addresses = await Promise.all(Array.from({ length: 8 }, () => newAddress()));
    const answers = await Promise.all(addresses.map(({ id }) => assign(deposit.id, { address_id: id })));
    assert.deepEqual(codesOf(answers), ['200', ...Array.from({ length: 7 }, () => 'deposit_attributed')]);
    const winner = answers.find(({ status }) => status === 200);
    assert.deepEqual(await read(deposit.id), winner?.body.data);
    assert.equal((await eventsOf(deposit.id)).length, 1);
  });

  it('404: an unknown deposit, one of another wallet, an unknown address, one of another wallet', async () => {
    const other = await world.newWallet();
    const [deposit, address] = [await newUnattributedDeposit(), await newAddress()];
    const [theirs, elsewhere] = [await newUnattributedDeposit({ of: other }), await newAddress(other)];
    const refused = [
      await assign(`dep_${NO_ID}`, { address_id: address.id }),
      await assign('%00', { address_id: address.id }),
      await assign(theirs.id, { address_id: address.id }),
      await assign(deposit.id, { address_id: `adr_${NO_ID}` }),
      await assign(deposit.id, { address_id: "adr_' or 1=1" }),
      await assign(deposit.id, { address_id: elsewhere.id }),
      await assign(deposit.id, { address_id: address.id }, { token: stranger.token }),
    ];
    for (const answer of refused) assertError(answer, 404, 'not_found');
    assert.deepEqual(await read(deposit.id), deposit);
    assert.deepEqual(await read(theirs.id, other), theirs);
  });

  it('401 for an API key, 400 for another body; nothing is changed', async () => {
    const [deposit, address] = [await newUnattributedDeposit(), await newAddress()];
    const body = { address_id: address.id };
    assertError(await assign(deposit.id, body, { token: wallet.api_key }), 401, 'login_required');
    assertFault(await assign(deposit.id, {}), '/address_id');
    assertFault(await assign(deposit.id, { address_id: 5 }), '/address_id');
    assertFault(await assign(deposit.id, { address_id: 'a'.repeat(65) }), '/address_id');
    assertError(await assign(deposit.id, { ...body, memo_id: 5 }), 400);
    assert.deepEqual(await read(deposit.id), deposit);
    assert.equal((await eventsOf(deposit.id)).length, 0);
  });
});

describe('refund', () => {
  it('201: a withdrawal of the whole amount to the sender, with MEMO_RETURN of the deposit’s transaction', async () => {
    const deposit = await newUnattributedDeposit({ amount: 12_345n });
    const before = await balanceOf(payer.publicKey());
    const answer = await refund(deposit.id);
    assert.equal(answer.status, 201, answer.text);
    const { id, status, operation, destination, amount_stroops, memo_id, refund_of, stellar_tx_hash } =
      answer.body.data;
    assert.deepEqual(
      { status, operation, destination, amount_stroops, memo_id, refund_of },
      {
        status: 'confirmed',
        operation: 'payment',
        destination: payer.publicKey(),
        amount_stroops: 12_345n,
        memo_id: null,
        refund_of: deposit.id,
      },
    );
    assert.equal((await balanceOf(payer.publicKey())) - before, 12_345n);
    const { memo } = (await world.ledger.transaction(stellar_tx_hash)).envelope;
    assert.equal(memo.type, 'return');
    assert.equal(Buffer.from(memo.value as Uint8Array).toString('hex'), deposit.stellar_tx_hash);
    assert.deepEqual(await read(deposit.id), { ...deposit, refund_withdrawal_id: id });
    const shown = await world.api('GET', `${base()}/withdrawals/${id}`, { token: world.token });
    assert.deepEqual(shown.body.data, answer.body.data);
    assert.equal((await eventsOf(deposit.id)).length, 0);
  });

  it('has the reference of the caller, and 400 for one that is no reference, which refunds nothing', async () => {
    const deposit = await newUnattributedDeposit();
    for (const reference of ['x'.repeat(101), '🧾'.repeat(101), 'two\nlines', 5])
      assertFault(await refund(deposit.id, { body: { reference } }), '/reference');
    assert.deepEqual(await refundsOf(deposit.id), []);
    const answer = await refund(deposit.id, { body: { reference: '🧾'.repeat(100) } });
    assert.deepEqual([answer.status, answer.body.data.reference], [201, '🧾'.repeat(100)]);
    const other = await refund(deposit.id, { body: { reference: 'another' } });
    assertError(other, 409, 'deposit_refunded');
    assert.deepEqual(other.body.data, answer.body.data);
  });

  it('409 deposit_refunded with the withdrawal as data, however often it is asked again', async () => {
    const deposit = await newUnattributedDeposit();
    const first = await refund(deposit.id);
    for (let times = 0; times < 3; times++) {
      const again = await refund(deposit.id);
      assertError(again, 409, 'deposit_refunded');
      assert.deepEqual(again.body.data, first.body.data);
    }
    assert.equal((await refundsOf(deposit.id)).length, 1);
  });

  it('many at once: it is paid once', async () => {
    const deposit = await newUnattributedDeposit({ amount: 777n });
    const before = await balanceOf(payer.publicKey());
    const answers = await Promise.all(Array.from({ length: 10 }, () => refund(deposit.id)));
    assert.deepEqual(codesOf(answers), ['201', ...Array.from({ length: 9 }, () => 'deposit_refunded')]);
    assert.equal(new Set(answers.map(({ body }) => body.data.id)).size, 1);
    assert.equal((await balanceOf(payer.publicKey())) - before, 777n);
  });

  it('409 between assign and refund: whichever is first excludes the other, at once or later', async () => {
    const [refunded, assigned, address] = [
      await newUnattributedDeposit(),
      await newUnattributedDeposit(),
      await newAddress(),
    ];
    await refund(refunded.id);
    const late = await assign(refunded.id, { address_id: address.id });
    assertError(late, 409, 'deposit_refunded');
    assert.equal(late.body.data.id, refunded.id);
    const its = await assign(assigned.id, { address_id: address.id });
    assert.ok(its.text.includes(`"metadata":${METADATA}`));
    assertError(await refund(assigned.id), 409, 'deposit_attributed');

    const deposits = await Promise.all(Array.from({ length: 12 }, () => newUnattributedDeposit()));
    const both = await Promise.all(
      deposits.map(({ id }) => Promise.all([refund(id), assign(id, { address_id: address.id })])),
    );
    for (const [index, { id }] of deposits.entries()) {
      const [refunds, events] = [await refundsOf(id), await eventsOf(id)];
      assert.equal(refunds.length + events.length, 1, 'paid back or announced, never both');
      const expected = refunds.length === 1 ? ['201', 'deposit_refunded'] : ['200', 'deposit_attributed'];
      assert.deepEqual(codesOf(both[index] ?? []), expected);
    }
  });

  it('after one that failed it may be tried again, and then it is paid once', async () => {
    const poor = await world.newWallet();
    const deposit = await newUnattributedDeposit({ of: poor, amount: 3n * UNIT });
    const sink = payer.publicKey();
    const all = (await balanceOf(poor.account)) - 2n * UNIT;
    assert.equal((await world.withdraw(poor, { destination: sink, amount_stroops: all })).status, 201);
    const failed = await refund(deposit.id, { of: poor });
    assert.equal(failed.status, 201, failed.text);
    assert.equal(failed.body.data.status, 'failed');
    assert.equal(failed.body.data.failure.code, 'op_underfunded');
    assert.equal((await read(deposit.id, poor)).refund_withdrawal_id, null);
    await world.ledger.pay(payer, poor.account, 10n * UNIT);
    const before = await balanceOf(sink);
    const paid = await refund(deposit.id, { of: poor });
    assert.equal(paid.body.data.status, 'confirmed');
    assert.notEqual(paid.body.data.idempotency_key, failed.body.data.idempotency_key);
    assertError(await refund(deposit.id, { of: poor }), 409, 'deposit_refunded');
    assert.equal((await balanceOf(sink)) - before, 3n * UNIT);
    assert.deepEqual(
      (await refundsOf(deposit.id)).map(({ status }) => status),
      ['failed', 'confirmed'],
    );
    assert.equal((await read(deposit.id, poor)).refund_withdrawal_id, paid.body.data.id);
  });

  it('422 refund_not_possible while the sending account is gone: it is not opened again; once it is back, it is paid', async () => {
    const gone = await world.ledger.fund();
    const deposit = await newUnattributedDeposit({ from: gone, amount: 3n * UNIT });
    const merge = Operation.accountMerge({ destination: wallet.account });
    const { hash } = await world.ledger.apply(gone, [merge]);
    const [merged] = await world.depositsOf(wallet, hash);
    for (const id of [deposit.id, merged.id]) {
      assertError(await refund(id), 422, 'refund_not_possible');
      assert.deepEqual(await refundsOf(id), []);
    }
    assert.equal(await world.ledger.account(gone.publicKey()), null);
    const create = Operation.createAccount({ destination: gone.publicKey(), startingBalance: '1' });
    await world.ledger.apply(payer, [create]);
    const paid = await refund(deposit.id);
    assert.deepEqual([paid.body.data.status, paid.body.data.operation], ['confirmed', 'payment'], paid.text);
  });

  it('to a sender that requires a memo (SEP-29): MEMO_RETURN is one', async () => {
    const exchange = await world.ledger.fund();
    const required = Operation.manageData({ name: 'config.memo_required', value: '1' });
    await world.ledger.apply(exchange, [required]);
    const deposit = await newUnattributedDeposit({ from: exchange });
    assert.equal((await refund(deposit.id)).body.data.status, 'confirmed');
  });

  it('to the M… that has paid, whose id tells the custodian which of its customers it is', async () => {
    const from = new MuxedAccount(new Account(payer.publicKey(), '0'), '18446744073709551615').accountId();
    const payment = { destination: wallet.account, asset: Asset.native(), amount: '0.0000123', source: from };
    const { hash } = await world.ledger.apply(payer, [Operation.payment(payment)]);
    const [deposit] = await world.depositsOf(wallet, hash);
    assert.deepEqual([deposit.source_account, deposit.source_account_muxed], [payer.publicKey(), from]);
    const { status, destination, stellar_tx_hash } = (await refund(deposit.id)).body.data;
    assert.deepEqual([status, destination], ['confirmed', from]);
    const { operations, memo } = (await world.ledger.transaction(stellar_tx_hash)).envelope;
    assert.equal((operations[0] as { destination?: string }).destination, from);
    assert.equal(Buffer.from(memo.value as Uint8Array).toString('hex'), hash);
  });

  it('to another wallet of the service, where it comes in as a deposit with that memo', async () => {
    const other = await world.newWallet();
    const { body } = await world.withdraw(other, { destination: wallet.account, amount_stroops: 9 });
    const [deposit] = await world.depositsOf(wallet, body.data.stellar_tx_hash);
    const paid = await refund(deposit.id);
    const [back] = await world.depositsOf(other, paid.body.data.stellar_tx_hash);
    assert.equal(back.source_account, wallet.account);
    assert.equal(back.attributed, false);
  });

  it('422 by the wallet’s policy, as any withdrawal; the deposit stays as it is and can be refunded later', async () => {
    const other = await world.newWallet();
    const deposit = await newUnattributedDeposit({ of: other, amount: 100n });
    const policy = (body: unknown) => world.api('PUT', `${base(other)}/policy`, { token: world.token, body });
    const refusals: [unknown, string][] = [
      [{ frozen: true }, 'policy_frozen'],
      [{ max_withdrawal_stroops: 99 }, 'policy_amount_limit'],
      [{ max_rolling_24h_stroops: 99 }, 'policy_daily_limit'],
      [{ destinations: [other.account] }, 'policy_destination_not_allowed'],
    ];
    for (const [body, code] of refusals) {
      assert.equal((await policy(body)).status, 200);
      assertError(await refund(deposit.id, { of: other }), 422, code);
      assert.deepEqual(await refundsOf(deposit.id), []);
      assert.deepEqual(await read(deposit.id, other), deposit);
    }
    await policy({});
    assert.equal((await refund(deposit.id, { of: other })).body.data.status, 'confirmed');
  });

  it('422 refund_not_possible: the wallet is the sender, the asset is removed, the sender is a contract', async () => {
    const own = await world.withdraw(wallet, { destination: wallet.account, amount_stroops: 9 });
    const [from_self] = await world.depositsOf(wallet, own.body.data.stellar_tx_hash);
    const [issued, contract] = [await newUnattributedDeposit(), await newUnattributedDeposit()];
    await world.query(`update deposits set asset_code = 'USD', asset_issuer = $2 where id = $1`, [
      issued.id,
      payer.publicKey(),
    ]);
    await world.query('update deposits set source_account = $2 where id = $1', [
      contract.id,
      'CA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUWDA',
    ]);
    for (const { id } of [from_self, issued, contract]) {
      assertError(await refund(id), 422, 'refund_not_possible');
      assert.deepEqual(await refundsOf(id), []);
    }
  });

  it('404: an unknown deposit, one of another wallet, another user’s login; 401 for an API key; 400 for a body', async () => {
    const other = await world.newWallet();
    const [deposit, theirs] = [await newUnattributedDeposit(), await newUnattributedDeposit({ of: other })];
    assertError(await refund(`dep_${NO_ID}`), 404, 'not_found');
    assertError(await refund(theirs.id), 404, 'not_found');
    assertError(await refund(deposit.id, { token: stranger.token }), 404, 'not_found');
    assertError(await refund(deposit.id, { token: wallet.api_key }), 401, 'login_required');
    const path = `${base()}/deposits/${deposit.id}/refund`;
    assertError(await world.api('POST', path, { token: world.token, body: { amount_stroops: 1 } }), 400);
    assert.deepEqual(await refundsOf(deposit.id), []);
  });

  it('no Idempotency-Key of a person can be that of a refund', async () => {
    const deposit = await newUnattributedDeposit();
    const { idempotency_key } = (await refund(deposit.id)).body.data;
    const body = { destination: payer.publicKey(), amount_stroops: 1 };
    const answer = await world.withdraw(wallet, body, { key: idempotency_key });
    assertError(answer, 400, 'idempotency_key_invalid');
  });

  it('is found by the Idempotency-Key that its answer shows', async () => {
    const refunded = (await refund((await newUnattributedDeposit()).id)).body.data;
    const found = async (key: string) =>
      world.api('GET', `${base()}/withdrawals?idempotency_key=${encodeURIComponent(key)}`, {
        token: world.token,
      });
    assert.deepEqual((await found(refunded.idempotency_key)).body.data.items, [refunded]);
    assert.deepEqual((await found(`${refunded.idempotency_key}0`)).body.data.items, []);
    assertError(await found('é'), 400);
  });
});
