/** What a transaction did for the wallet, operation by operation, and why: a support person's first question. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, it } from 'node:test';
import {
  Account,
  Asset,
  FeeBumpTransaction,
  Memo,
  MuxedAccount,
  Operation,
  TransactionBuilder,
} from '@stellar/stellar-sdk/base';
import { memoId, toUnits } from '../support/ledger.ts';
import { assertError, assertFault, joinService } from '../support/running-service.ts';

const world = await joinService();
after(() => world.stop());
const stranger = await world.newUser();
const wallet = await world.newWallet();
const payer = await world.ledger.fund();

const call = (method: string, path: string, { token = wallet.api_key, body = undefined as unknown } = {}) =>
  world.api(method, `/v1/wallets/${wallet.id}${path}`, { token, ...(body !== undefined && { body }) });
const address = (await call('POST', '/addresses')).body.data;

async function explain(hash: string): Promise<any> {
  const answer = await call('GET', `/explain/${hash}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

const muxed = (account: string, id: bigint) =>
  new MuxedAccount(new Account(account, '0'), `${id}`).accountId();
const payment = (destination: string, stroops = 5n) =>
  Operation.payment({ destination, asset: Asset.native(), amount: toUnits(stroops) });

/** Pays the wallet, waits for the deposit, and gives what is said of the one operation. */
async function paid(destination: string, memo?: Memo): Promise<any> {
  const { hash } = await world.ledger.pay(payer, destination, 5n, memo ? { memo } : {});
  await world.depositsOf(wallet, hash);
  const { operations, ...rest } = await explain(hash);
  assert.equal(operations.length, 1);
  return { ...operations[0], transaction: rest };
}

describe('a payment that was attributed', () => {
  it('says so, with the deposit as the API shows it', async () => {
    const { transaction, message, deposits, ...operation } = await paid(address.address);
    const { ledger, stellar_tx_hash, message: summary, ...rest } = transaction;
    assert.deepEqual(rest, {
      state: 'applied',
      read: true,
      quarantined: false,
      fee_bump: false,
      memo_type: 'none',
      memo: null,
    });
    assert.equal(summary, `It is in ledger ${ledger}.`);
    assert.deepEqual(operation, {
      operation_index: 0n,
      type: 'payment',
      credited: true,
      reason: 'attributed',
      adjustments: [],
    });
    const shown = await call('GET', `/deposits/${deposits[0].id}`);
    assert.deepEqual(deposits, [shown.body.data]);
    assert.equal(deposits[0].stellar_tx_hash, stellar_tx_hash);
    assert.ok(message.includes(deposits[0].id) && message.includes(address.id), message);
  });

  it('by MEMO_ID too', async () => {
    const { transaction, reason } = await paid(wallet.account, memoId(address.memo_id));
    assert.equal(reason, 'attributed');
    assert.deepEqual([transaction.memo_type, transaction.memo], ['id', `${address.memo_id}`]);
  });
});

describe('a payment that was not attributed says why', () => {
  const cases: [string, () => Promise<any>, string, RegExp][] = [
    ['no memo', () => paid(wallet.account), 'no_memo', /without a memo/],
    ['an id of no address', () => paid(wallet.account, memoId(7n)), 'memo_id_unknown', /has memo id 7\./],
    ['0, which no address has', () => paid(wallet.account, memoId(0n)), 'memo_id_unknown', /memo id 0\./],
    ['an M… of no address', () => paid(muxed(wallet.account, 8n)), 'muxed_id_unknown', /has id 8,/],
    [
      'an M… of no address, though the memo id is one: muxed wins',
      () => paid(muxed(wallet.account, 9n), memoId(address.memo_id)),
      'muxed_id_unknown',
      /has id 9,/,
    ],
    [
      'a text',
      () => paid(wallet.account, Memo.text('order 5')),
      'memo_text_no_id',
      /"order 5" is not a memo id/,
    ],
    [
      'a text almost of digits',
      () => paid(wallet.account, Memo.text('007')),
      'memo_text_no_id',
      /"007" is not/,
    ],
    [
      'a text of digits, and the setting is off',
      () => paid(wallet.account, Memo.text(`${address.memo_id}`)),
      'memo_text_off',
      /numeric_memo_text was off/,
    ],
    ['a hash', () => paid(wallet.account, Memo.hash(Buffer.alloc(32, 1))), 'memo_hash', /type hash names no/],
    [
      'a return hash',
      () => paid(wallet.account, Memo.return(Buffer.alloc(32, 1))),
      'memo_hash',
      /type return/,
    ],
  ];
  for (const [name, act, reason, words] of cases) {
    it(name, async () => {
      const operation = await act();
      assert.equal(operation.credited, true);
      assert.equal(operation.reason, reason);
      assert.match(operation.message, words);
      assert.equal(operation.deposits[0].attributed, false);
    });
  }

  it('a text of digits that is no address, with the setting on; that of an address is attributed then', async () => {
    const set = (numeric_memo_text: boolean) =>
      world.api('PATCH', `/v1/wallets/${wallet.id}`, { token: world.token, body: { numeric_memo_text } });
    await set(true);
    const unknown = await paid(wallet.account, Memo.text('7'));
    assert.equal(unknown.reason, 'memo_id_unknown');
    assert.match(unknown.message, /memo text "7"/);
    const known = await paid(wallet.account, Memo.text(`${address.memo_id}`));
    assert.equal(known.reason, 'attributed');
    assert.equal(known.deposits[0].address_id, address.id);
    assert.equal(known.deposits[0].memo_type, 'text');
    await set(false);
  });

  it('and what a person did about it: assigned, or refunded', async () => {
    const [assigned, refunded] = [await paid(wallet.account), await paid(wallet.account, memoId(7n))];
    const token = world.token;
    const body = { address_id: address.id };
    await call('POST', `/deposits/${assigned.deposits[0].id}/assign`, { token, body });
    const by_hand = (await explain(assigned.transaction.stellar_tx_hash)).operations[0];
    assert.equal(by_hand.reason, 'assigned_by_hand');
    assert.match(by_hand.message, new RegExp(`assigned to address ${address.id}.* without a memo`));
    assert.equal(by_hand.deposits[0].assigned_by_hand, true);

    const refund = await call('POST', `/deposits/${refunded.deposits[0].id}/refund`, { token });
    const back = (await explain(refunded.transaction.stellar_tx_hash)).operations[0];
    assert.equal(back.reason, 'refunded');
    assert.match(back.message, new RegExp(`${refund.body.data.id} pays back.* memo id 7`));
    const own = await explain(refund.body.data.stellar_tx_hash);
    assert.deepEqual([own.memo_type, own.operations[0].reason], ['return', 'paid_out']);
    const told = `withdrawal ${refund.body.data.id}, the refund of deposit ${refunded.deposits[0].id}`;
    assert.match(own.operations[0].message, new RegExp(told));
    const payer_of = await explain(refunded.transaction.stellar_tx_hash);
    assert.doesNotMatch(payer_of.operations[0].message, /the refund of/);
  });
});

describe('a transaction', () => {
  it('of several operations is explained one by one', async () => {
    const { hash } = await world.ledger.apply(payer, [
      payment(payer.publicKey()),
      payment(address.address, 6n),
      Operation.manageData({ name: 'x', value: 'y' }),
      payment(wallet.account, 7n),
    ]);
    await world.depositsOf(wallet, hash, 2);
    const { operations } = await explain(hash);
    assert.deepEqual(
      operations.map((each: any) => [each.type, each.credited, each.reason, each.deposits.length]),
      [
        ['payment', false, 'other_account', 0],
        ['payment', true, 'attributed', 1],
        ['manage_data', false, 'not_a_payment', 0],
        ['payment', true, 'no_memo', 1],
      ],
    );
    assert.deepEqual(
      operations.flatMap((each: any) => each.deposits.map((deposit: any) => deposit.amount_stroops)),
      [6n, 7n],
    );
    for (const { message } of operations) assert.match(message, /\.$/);
  });

  it('that failed moved nothing, and says which operation failed', async () => {
    const operations = [payment(wallet.account), payment(wallet.account, 10n ** 16n)];
    const { hash, successful, ledger } = await world.ledger.apply(payer, operations);
    assert.equal(successful, false);
    const said = await explain(hash);
    assert.equal(said.state, 'failed');
    assert.match(said.message, new RegExp(`failed in ledger ${ledger} \\(`));
    assert.deepEqual(
      said.operations.map((each: any) => [each.credited, each.reason]),
      [
        [false, 'transaction_failed'],
        [false, 'operation_failed'],
      ],
    );
    assert.match(said.operations[1].message, /op_underfunded/);
  });

  it('in a fee-bump is found by either hash, with the memo of the inner one', async () => {
    const sponsor = await world.ledger.fund();
    const options = { fee_bump: sponsor, memo: memoId(address.memo_id) };
    const { hash } = await world.ledger.pay(payer, wallet.account, 5n, options);
    await world.depositsOf(wallet, hash);
    const answer = await world.ledger.server.getTransaction(hash);
    assert.notEqual(answer.status, 'NOT_FOUND');
    const envelope = (answer as any).envelopeXdr.toXdr('base64');
    const bump = TransactionBuilder.fromXDR(envelope, world.ledger.passphrase);
    assert.ok(bump instanceof FeeBumpTransaction);
    const inner_hash = Buffer.from(bump.innerTransaction.hash()).toString('hex');
    const [outer, inner] = [await explain(hash), await explain(inner_hash.toUpperCase())];
    assert.deepEqual(
      [outer.fee_bump, outer.memo, outer.operations[0].reason, outer.stellar_tx_hash],
      [true, `${address.memo_id}`, 'attributed', hash],
    );
    assert.match(inner.message, new RegExp(`fee-bump, whose hash is ${hash}`));
    assert.deepEqual({ ...inner, message: '' }, { ...outer, message: '' });
  });

  it('that has nothing to do with the wallet says whom it paid not', async () => {
    const { hash } = await world.ledger.pay(payer, world.ledger.root.publicKey(), 5n);
    const { operations } = await explain(hash);
    assert.deepEqual([operations[0].credited, operations[0].reason], [false, 'other_account']);
  });

  it('of the wallet itself is no deposit', async () => {
    const { body } = await world.withdraw(wallet, { destination: payer.publicKey(), amount_stroops: 5 });
    const { operations } = await explain(body.data.stellar_tx_hash);
    assert.deepEqual([operations[0].credited, operations[0].reason], [false, 'paid_out']);
  });

  it('is explained to each wallet as its own', async () => {
    const other = await world.newWallet();
    const { hash } = await world.ledger.apply(payer, [payment(wallet.account), payment(other.account)]);
    await world.depositsOf(other, hash);
    const theirs = await world.api('GET', `/v1/wallets/${other.id}/explain/${hash}`, {
      token: other.api_key,
    });
    const reasons = (said: any) => said.operations.map((each: any) => each.reason);
    assert.deepEqual(reasons(theirs.body.data), ['other_account', 'no_memo']);
    assert.deepEqual(reasons(await explain(hash)), ['no_memo', 'other_account']);
    for (const { deposits } of (await explain(hash)).operations)
      for (const deposit of deposits) assert.equal(deposit.wallet_id, wallet.id);
  });

  it('that the network does not know is not_found, and says which ledgers were looked through', async () => {
    const hash = createHash('sha256').update('nothing').digest('hex');
    const { message, ...said } = await explain(hash);
    assert.deepEqual(said, {
      stellar_tx_hash: hash,
      state: 'not_found',
      ledger: null,
      read: false,
      quarantined: false,
      fee_bump: null,
      memo_type: 'none',
      memo: null,
      operations: [],
    });
    assert.match(message, /ledgers \d+ to \d+/);
  });
});

it('400 for what is no hash; 401 without a credential; 404 for a wallet that is not the caller’s', async () => {
  for (const wrong of ['x', 'ab'.repeat(31), 'ab'.repeat(33), 'zz'.repeat(32), '%00'.repeat(64)])
    assertFault(await call('GET', `/explain/${wrong}`), 'tx_hash');
  const path = `/explain/${'ab'.repeat(32)}`;
  assertError(await call('GET', path, { token: 'nonsense' }), 401);
  assertError(await call('GET', path, { token: stranger.token }), 404, 'not_found');
  const other = await world.newWallet();
  assertError(await call('GET', path, { token: other.api_key }), 404, 'not_found');
  assert.equal((await call('GET', path, { token: world.token })).status, 200);
});
