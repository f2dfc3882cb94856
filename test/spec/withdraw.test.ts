/** What a withdrawal does, answers and costs. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Account, Keypair, MuxedAccount } from '@stellar/stellar-sdk/base';
import { memoId, toStroops } from '../support/ledger.ts';
import { joinService, unique } from '../support/running-service.ts';

const UNIT = 10_000_000n;
const MEMO_MAX = 18446744073709551615n;
const BEYOND_DOUBLE = 9007199254740993n;

const world = await joinService();
after(() => world.stop());
const wallet = await world.newWallet();

const balanceOf = async (address: string) => (await world.ledger.account(address))?.balance ?? 0n;
const muxed = (account: string, id: bigint) =>
  new MuxedAccount(new Account(account, '0'), `${id}`).accountId();

/** Withdraws, and says what that did to both balances. */
async function withdraw(
  body: { destination: string; amount_stroops: bigint; memo_id?: bigint | null },
  to?: string,
) {
  const receiver = to ?? body.destination;
  const [own_before, their_before] = [await balanceOf(wallet.account), await balanceOf(receiver)];
  const answer = await world.withdraw(wallet, body);
  return {
    answer,
    data: answer.body.data,
    paid: own_before - (await balanceOf(wallet.account)),
    received: (await balanceOf(receiver)) - their_before,
  };
}

describe('201: the withdrawal', () => {
  it('comes in the envelope statusCode, message, data, with the documented fields', async () => {
    const destination = (await world.ledger.fund()).publicKey();
    const key = unique('key');
    const reference = '🧾'.repeat(100);
    const order = { destination, amount_stroops: 70n, reference };
    const { status, body } = await world.withdraw(wallet, order, { key });
    assert.equal(status, 201);
    assert.deepEqual(Object.keys(body).sort(), ['data', 'message', 'statusCode']);
    assert.equal(body.statusCode, 201n);
    assert.equal(body.message, 'Created');
    const {
      id,
      stellar_tx_hash,
      inner_tx_hash,
      ledger,
      fee_stroops,
      created_at,
      signed_at,
      committed_at,
      expires_at,
      settled_at,
      requested_by,
      ...rest
    } = body.data;
    assert.deepEqual(rest, {
      wallet_id: wallet.id,
      status: 'confirmed',
      operation: 'payment',
      destination,
      asset_code: 'native',
      asset_issuer: null,
      amount_stroops: 70n,
      memo_id: null,
      payee_id: null,
      fee_paid_by: 'wallet',
      failure: null,
      idempotency_key: key,
      reference,
      refund_of: null,
      payout_id: null,
      payout_row: null,
      fee_bumps: 0n,
      approvals_required: 0n,
      approvals_cause: null,
      approvals: [],
      order_hash: null,
      approval_expires_at: null,
    });
    assert.match(id, /^wd_/);
    assert.match(requested_by, /^usr_/);
    assert.match(stellar_tx_hash, /^[0-9a-f]{64}$/);
    assert.match(inner_tx_hash, /^[0-9a-f]{64}$/);
    assert.equal(typeof ledger, 'bigint');
    assert.equal(typeof fee_stroops, 'bigint');
    for (const time of [created_at, signed_at, committed_at, expires_at, settled_at])
      assert.match(time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  it('confirmed: the transaction of that hash succeeded on the ledger and moved exactly the amount and the fee', async () => {
    const destination = (await world.ledger.fund()).publicKey();
    const { data, paid, received } = await withdraw({ destination, amount_stroops: 123n });
    assert.equal(data.status, 'confirmed');
    assert.equal(received, 123n);
    assert.equal(paid, 123n + data.fee_stroops);
    const transaction = await world.ledger.transaction(data.stellar_tx_hash);
    assert.equal(transaction.status, 'SUCCESS');
    assert.equal(BigInt(transaction.ledger), data.ledger);
    assert.equal(transaction.envelope.source, wallet.account);
    assert.equal(transaction.envelope.memo.type, 'none');
    assert.equal(transaction.envelope.operations.length, 1);
  });

  it('memo_id is the numeric memo on the payment, up to 18446744073709551615 and down to 0', async () => {
    const destination = (await world.ledger.fund()).publicKey();
    for (const memo_id of [MEMO_MAX, BEYOND_DOUBLE, 0n]) {
      const { answer, data } = await withdraw({ destination, amount_stroops: 1n, memo_id });
      assert.equal(data.memo_id, memo_id);
      assert.ok(answer.text.includes(`"memo_id":${memo_id}`));
      const { envelope } = await world.ledger.transaction(data.stellar_tx_hash);
      assert.equal(envelope.memo.type, 'id');
      assert.equal(envelope.memo.value, `${memo_id}`);
      const [row] = await world.query('select memo_id from withdrawals where id = $1', [data.id]);
      assert.equal(row.memo_id, `${memo_id}`);
    }
  });

  it('amounts beyond 2^53 are exact in the answer, on the ledger and in the database', async () => {
    const destination = (await world.ledger.fund()).publicKey();
    await world.ledger.pay(world.ledger.root, wallet.account, 2n * BEYOND_DOUBLE);
    const { answer, data, paid, received } = await withdraw({ destination, amount_stroops: BEYOND_DOUBLE });
    assert.ok(answer.text.includes(`"amount_stroops":${BEYOND_DOUBLE}`));
    assert.equal(received, BEYOND_DOUBLE);
    assert.equal(paid, BEYOND_DOUBLE + data.fee_stroops);
    const { envelope } = await world.ledger.transaction(data.stellar_tx_hash);
    const [operation] = envelope.operations;
    assert.ok(operation?.type === 'payment');
    assert.equal(toStroops(operation.amount), BEYOND_DOUBLE);
    const [row] = await world.query('select amount_stroops from withdrawals where id = $1', [data.id]);
    assert.equal(row.amount_stroops, `${BEYOND_DOUBLE}`);
  });

  it('a muxed destination is paid as such, and given back as sent', async () => {
    const account = (await world.ledger.fund()).publicKey();
    const destination = muxed(account, MEMO_MAX);
    const { data, received } = await withdraw({ destination, amount_stroops: 9n }, account);
    assert.equal(data.status, 'confirmed');
    assert.equal(data.destination, destination);
    assert.equal(received, 9n);
    const { envelope } = await world.ledger.transaction(data.stellar_tx_hash);
    assert.ok(envelope.operations[0]?.type === 'payment');
    assert.equal(envelope.operations[0].destination, destination);
  });

  it('a muxed destination with the memo_id that equals its id is fine', async () => {
    const account = (await world.ledger.fund()).publicKey();
    const body = { destination: muxed(account, MEMO_MAX), amount_stroops: 9n, memo_id: MEMO_MAX };
    const { data, received } = await withdraw(body, account);
    assert.equal(data.status, 'confirmed');
    assert.equal(received, 9n);
  });

  it('memo_id null means absent', async () => {
    const destination = (await world.ledger.fund()).publicKey();
    const { data } = await withdraw({ destination, amount_stroops: 9n, memo_id: null });
    assert.equal(data.status, 'confirmed');
    assert.equal(data.memo_id, null);
    const { envelope } = await world.ledger.transaction(data.stellar_tx_hash);
    assert.equal(envelope.memo.type, 'none');
  });

  it('is what GET says of it afterwards, and what the list finds by idempotency_key', async () => {
    const destination = (await world.ledger.fund()).publicKey();
    const key = `${unique('key')} &=%+`;
    const { body } = await world.withdraw(wallet, { destination, amount_stroops: 5n }, { key });
    const path = `/v1/wallets/${wallet.id}/withdrawals`;
    const read = await world.api('GET', `${path}/${body.data.id}`, { token: world.token });
    assert.deepEqual(read.body.data, body.data);
    const query = new URLSearchParams({ idempotency_key: key });
    const list = await world.api('GET', `${path}?${query}`, { token: world.token });
    assert.deepEqual(list.body.data, { items: [body.data], next_cursor: null });
  });

  it('to the wallet itself is paid, and is its deposit too', async () => {
    const { data, paid } = await withdraw({ destination: wallet.account, amount_stroops: 5n, memo_id: 3n });
    assert.equal(data.status, 'confirmed');
    assert.equal(paid, data.fee_stroops);
    const [deposit] = await world.depositsOf(wallet, data.stellar_tx_hash);
    assert.equal(deposit.amount_stroops, 5n);
    assert.equal(deposit.memo_id, 3n);
    assert.equal(deposit.source_account, wallet.account);
  });
});

describe('a destination that does not exist', () => {
  it('is created with the amount, from 2 base reserves up', async () => {
    for (const amount_stroops of [UNIT, 25n * UNIT + 1n]) {
      const destination = Keypair.random().publicKey();
      const { data, paid, received } = await withdraw({ destination, amount_stroops, memo_id: 77n });
      assert.equal(data.status, 'confirmed');
      assert.equal(data.operation, 'create_account');
      assert.equal(received, amount_stroops);
      assert.equal(paid, amount_stroops + data.fee_stroops);
      const { envelope } = await world.ledger.transaction(data.stellar_tx_hash);
      assert.equal(envelope.operations[0]?.type, 'createAccount');
      assert.deepEqual(envelope.memo, memoId(77n));
    }
  });

  it('is created by one of several orders at once, of any wallet, and all of them are paid', async () => {
    const destination = Keypair.random().publicKey();
    const other = await world.newWallet();
    const orders = [wallet, wallet, other, other, wallet].map((payer, index) =>
      world.withdraw(payer, { destination, amount_stroops: index === 4 ? 5n : UNIT }),
    );
    const paid = (await Promise.all(orders)).map(({ body }) => `${body.data.operation} ${body.data.status}`);
    assert.deepEqual(paid.sort(), ['create_account confirmed', ...Array(4).fill('payment confirmed')]);
    assert.equal(await balanceOf(destination), 4n * UNIT + 5n);
  });

  it('gets a payment below that, which the network fails: 201 failed, op_no_destination', async () => {
    const destination = Keypair.random().publicKey();
    const { answer, data, paid, received } = await withdraw({ destination, amount_stroops: UNIT - 1n });
    assert.equal(answer.status, 201);
    assert.equal(data.status, 'failed');
    assert.equal(data.operation, 'payment');
    assert.equal(data.failure.code, 'op_no_destination');
    assert.equal(typeof data.failure.message, 'string');
    assert.equal(received, 0n);
    assert.equal(paid, data.fee_stroops);
    assert.ok(data.fee_stroops > 0n);
    const transaction = await world.ledger.transaction(data.stellar_tx_hash);
    assert.equal(transaction.status, 'FAILED');
    assert.equal(BigInt(transaction.ledger), data.ledger);
  });

  it('given as M… gets a payment whatever the amount: 201 failed, op_no_destination', async () => {
    const account = Keypair.random().publicKey();
    const body = { destination: muxed(account, 5n), amount_stroops: 100n * UNIT };
    const { answer, data, received } = await withdraw(body, account);
    assert.equal(answer.status, 201);
    assert.equal(data.status, 'failed');
    assert.equal(data.failure.code, 'op_no_destination');
    assert.equal(received, 0n);
  });
});

describe('whatever the network decides after acceptance is 201 with failed', () => {
  it('funds too low: op_underfunded, nothing moves but the fee', async () => {
    const destination = (await world.ledger.fund()).publicKey();
    const everything = await balanceOf(wallet.account);
    const { answer, data, paid, received } = await withdraw({ destination, amount_stroops: everything });
    assert.equal(answer.status, 201);
    assert.equal(data.status, 'failed');
    assert.equal(data.failure.code, 'op_underfunded');
    assert.equal(received, 0n);
    assert.equal(paid, data.fee_stroops);
    assert.equal((await world.ledger.transaction(data.stellar_tx_hash)).status, 'FAILED');
  });

  it('the largest amount there is, 9223372036854775807: failed, and exact to the last stroop', async () => {
    const destination = (await world.ledger.fund()).publicKey();
    const amount_stroops = 9223372036854775807n;
    const { answer, data } = await withdraw({ destination, amount_stroops });
    assert.equal(answer.status, 201);
    assert.equal(data.status, 'failed');
    assert.equal(data.amount_stroops, amount_stroops);
    const { envelope } = await world.ledger.transaction(data.stellar_tx_hash);
    assert.ok(envelope.operations[0]?.type === 'payment');
    assert.equal(toStroops(envelope.operations[0].amount), amount_stroops);
  });

  it('the same amount to an account that does not exist: failed, op_underfunded', async () => {
    const destination = Keypair.random().publicKey();
    const { answer, data } = await withdraw({ destination, amount_stroops: 9223372036854775807n });
    assert.equal(answer.status, 201);
    assert.equal(data.status, 'failed');
    assert.equal(data.failure.code, 'op_underfunded');
  });
});

describe('many withdrawals of one wallet at once', () => {
  it('are all paid, each exactly once', async () => {
    const destination = (await world.ledger.fund()).publicKey();
    const [own_before, their_before] = [await balanceOf(wallet.account), await balanceOf(destination)];
    const amounts = Array.from({ length: 8 }, (_, index) => 10n ** BigInt(index));
    const answers = await Promise.all(
      amounts.map((amount_stroops) => world.withdraw(wallet, { destination, amount_stroops })),
    );
    for (const { status, body } of answers) {
      assert.equal(status, 201);
      assert.equal(body.data.status, 'confirmed');
    }
    const hashes = new Set(answers.map(({ body }) => body.data.stellar_tx_hash));
    assert.equal(hashes.size, amounts.length);
    const fees = answers.reduce((sum, { body }) => sum + body.data.fee_stroops, 0n);
    assert.equal((await balanceOf(destination)) - their_before, 11_111_111n);
    assert.equal(own_before - (await balanceOf(wallet.account)), 11_111_111n + fees);
  });
});
