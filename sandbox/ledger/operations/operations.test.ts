import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Account, Asset, Keypair, MuxedAccount, Operation, xdr } from '@stellar/stellar-sdk/base';
import { create, pay, rawPayment, TestNetwork, UNIT } from '../../testing/test-network.ts';
import { INT64_MAX } from '../bytes.ts';
import { dataKey } from '../entry.ts';

const RESERVE = 5_000_000n;

describe('create_account', () => {
  test('makes an account whose sequence number starts at the ledger shifted by 32 bits', () => {
    const net = new TestNetwork();
    const [made] = net.accounts(10n * UNIT);
    assert.ok(made);
    assert.equal(net.balance(made), 10n * UNIT);
    assert.equal(net.sequence(made), BigInt(net.network.latest.header.ledgerSeq) << 32n);
  });

  test('refuses an existing account, too little for the reserve, too little to pay from, and itself', () => {
    const net = new TestNetwork();
    const [rich, poor] = net.accounts(100n * UNIT, 2n * UNIT) as [Keypair, Keypair];
    const nobody = Keypair.random();
    assert.equal(
      net.applied(net.build(rich, [create(poor, 2n * UNIT)])),
      'txFailed(createAccountAlreadyExist)',
    );
    assert.equal(
      net.applied(net.build(rich, [create(nobody, 2n * RESERVE - 1n)])),
      'txFailed(createAccountLowReserve)',
    );
    assert.equal(net.applied(net.build(poor, [create(nobody, UNIT)])), 'txFailed(createAccountUnderfunded)');
    const self = net.submit(net.build(rich, [create(rich, UNIT)]));
    assert.deepEqual([self.status, self.error], ['ERROR', 'txFailed(createAccountMalformed)']);
    assert.equal(net.applied(net.build(rich, [create(nobody, 2n * RESERVE)])), 'txSuccess');
  });

  test('cannot spend the source account below its reserve, to the stroop', () => {
    const net = new TestNetwork();
    const [source] = net.accounts(20n * UNIT) as [Keypair];
    const spendable = net.available(source) - 100n;
    assert.equal(
      net.applied(net.build(source, [create(Keypair.random(), spendable + 1n)])),
      'txFailed(createAccountUnderfunded)',
    );
    assert.equal(net.applied(net.build(source, [create(Keypair.random(), spendable - 100n)])), 'txSuccess');
    assert.equal(net.available(source), 0n);
  });
});

describe('payment', () => {
  test('moves exactly the amount, and the fee comes on top', () => {
    const net = new TestNetwork();
    const [from, to] = net.accounts(100n * UNIT, 5n * UNIT) as [Keypair, Keypair];
    assert.equal(net.applied(net.build(from, [pay(to, 12_345_678n)])), 'txSuccess');
    assert.equal(net.balance(from), 100n * UNIT - 12_345_678n - 100n);
    assert.equal(net.balance(to), 5n * UNIT + 12_345_678n);
  });

  test('can use up all but the reserve, and not one stroop more', () => {
    const net = new TestNetwork();
    const [from, to] = net.accounts(100n * UNIT, 5n * UNIT) as [Keypair, Keypair];
    const all = net.available(from) - 100n;
    assert.equal(net.applied(net.build(from, [pay(to, all + 1n)])), 'txFailed(paymentUnderfunded)');
    assert.equal(net.applied(net.build(from, [pay(to, all - 100n)])), 'txSuccess');
    assert.equal(net.available(from), 0n);
  });

  test('refuses a destination that does not exist or that it would overflow', () => {
    const net = new TestNetwork();
    const [from, to] = net.accounts(100n * UNIT, 5n * UNIT) as [Keypair, Keypair];
    assert.equal(net.applied(net.build(from, [pay(Keypair.random(), 1n)])), 'txFailed(paymentNoDestination)');
    // The destination is credited first, so the result names a full destination even if the source cannot pay.
    const tooMuch = rawPayment(to, INT64_MAX);
    assert.equal(net.applied(net.build(from, [tooMuch])), 'txFailed(paymentLineFull)');
  });

  test('refuses zero and negative amounts as malformed, at submission', () => {
    const net = new TestNetwork();
    const [from, to] = net.accounts(100n * UNIT, 5n * UNIT) as [Keypair, Keypair];
    for (const amount of [0n, -1n, -(2n ** 63n)]) {
      const { status, error } = net.submit(net.build(from, [rawPayment(to, amount)]));
      assert.deepEqual([status, error], ['ERROR', 'txFailed(paymentMalformed)']);
    }
  });

  test('to oneself succeeds without a look at the balance', () => {
    const net = new TestNetwork();
    const [from] = net.accounts(10n * UNIT) as [Keypair];
    assert.equal(net.applied(net.build(from, [pay(from, 1_000n * UNIT)])), 'txSuccess');
    assert.equal(net.balance(from), 10n * UNIT - 100n);
  });

  test('takes muxed accounts as source and destination for the accounts they stand for', () => {
    const net = new TestNetwork();
    const [from, to] = net.accounts(100n * UNIT, 5n * UNIT) as [Keypair, Keypair];
    const muxed = (key: Keypair) =>
      new MuxedAccount(new Account(key.publicKey(), '0'), '18446744073709551615').accountId();
    const operation = Operation.payment({
      source: muxed(from),
      destination: muxed(to),
      asset: Asset.native(),
      amount: '1',
    });
    assert.equal(net.applied(net.build(from, [operation])), 'txSuccess');
    assert.equal(net.balance(to), 6n * UNIT);
  });
});

describe('manage_data', () => {
  const entry = (net: TestNetwork, owner: Keypair, name: string) =>
    net.network.entry(dataKey(owner.rawPublicKey(), new xdr.XdrString(name)));

  test('sets, changes and removes an entry, and counts it in the reserve', () => {
    const net = new TestNetwork();
    const [owner] = net.accounts(10n * UNIT) as [Keypair];
    const set = (value: string | null) => Operation.manageData({ name: 'config.memo_required', value });
    assert.equal(net.applied(net.build(owner, [set('1')])), 'txSuccess');
    assert.equal(net.account(owner).numSubEntries, 1);
    assert.equal(net.applied(net.build(owner, [set('2')])), 'txSuccess');
    const data = entry(net, owner, 'config.memo_required')?.data;
    assert.equal(data?.type === 3 && Buffer.from(data.data.dataValue).toString(), '2');
    assert.equal(net.account(owner).numSubEntries, 1);
    assert.equal(net.applied(net.build(owner, [set(null)])), 'txSuccess');
    assert.equal(entry(net, owner, 'config.memo_required'), undefined);
    assert.equal(net.account(owner).numSubEntries, 0);
    assert.equal(net.applied(net.build(owner, [set(null)])), 'txFailed(manageDataNameNotFound)');
  });

  test('needs the reserve for one more entry', () => {
    const net = new TestNetwork();
    const [owner] = net.accounts(2n * RESERVE + 1_000n) as [Keypair];
    const operation = Operation.manageData({ name: 'a', value: 'b' });
    assert.equal(net.applied(net.build(owner, [operation])), 'txFailed(manageDataLowReserve)');
  });

  test('refuses a name with control characters', () => {
    const net = new TestNetwork();
    const [owner] = net.accounts(10n * UNIT) as [Keypair];
    const { error } = net.submit(net.build(owner, [Operation.manageData({ name: 'a\n', value: 'b' })]));
    assert.equal(error, 'txFailed(manageDataInvalidName)');
  });
});

describe('set_options', () => {
  test('sets home domain, weights and thresholds, and refuses values out of range', () => {
    const net = new TestNetwork();
    const [owner] = net.accounts(10n * UNIT) as [Keypair];
    const options = {
      homeDomain: 'example.com',
      masterWeight: 2,
      lowThreshold: 1,
      medThreshold: 2,
      highThreshold: 2,
    };
    assert.equal(net.applied(net.build(owner, [Operation.setOptions(options)])), 'txSuccess');
    const account = net.account(owner);
    assert.deepEqual([...account.thresholds], [2, 1, 2, 2]);
    assert.equal(account.homeDomain.toString(), 'example.com');
    const refuse = (change: Parameters<typeof Operation.setOptions>[0]) =>
      net.submit(net.build(owner, [Operation.setOptions(change)])).error;
    assert.equal(
      refuse({ signer: { ed25519PublicKey: owner.publicKey(), weight: 1 } }),
      'txFailed(setOptionsBadSigner)',
    );
    assert.equal(refuse({ homeDomain: 'a\n' }), 'txFailed(setOptionsInvalidHomeDomain)');
  });

  test('keeps signers sorted, and each costs one reserve', () => {
    const net = new TestNetwork();
    const [owner] = net.accounts(10n * UNIT) as [Keypair];
    const signers = [Keypair.random(), Keypair.random(), Keypair.random()];
    for (const key of signers) {
      const operation = Operation.setOptions({ signer: { ed25519PublicKey: key.publicKey(), weight: 1 } });
      assert.equal(net.applied(net.build(owner, [operation])), 'txSuccess');
    }
    const kept = net
      .account(owner)
      .signers.map(({ key }) => (key.type === 0 ? key.ed25519 : new Uint8Array()));
    assert.deepEqual(kept, kept.toSorted(Buffer.compare));
    assert.equal(net.account(owner).numSubEntries, 3);
    const removal = Operation.setOptions({
      signer: { ed25519PublicKey: signers[1]?.publicKey() ?? '', weight: 0 },
    });
    assert.equal(net.applied(net.build(owner, [removal])), 'txSuccess');
    assert.equal(net.account(owner).signers.length, 2);
    assert.equal(net.account(owner).numSubEntries, 2);
  });
});

test('an operation that this network does not support is refused at submission, alone or among others', () => {
  const net = new TestNetwork();
  const [from, to] = net.accounts(100n * UNIT, 5n * UNIT) as [Keypair, Keypair];
  const revoke = Operation.revokeAccountSponsorship({ account: to.publicKey() });
  const before = net.balance(from);
  assert.equal(net.submit(net.build(from, [revoke])).error, 'txFailed(opNotSupported)');
  assert.equal(
    net.submit(net.build(from, [pay(to, 1n), revoke])).error,
    'txFailed(paymentSuccess,opNotSupported)',
  );
  assert.equal(net.submit(net.build(from, [Operation.inflation({})])).error, 'txFailed(opNotSupported)');
  net.close();
  assert.equal(net.balance(from), before);
});
