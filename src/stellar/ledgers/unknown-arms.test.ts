/** Arms that no version knows, in every place of recorded ledgers, read from both kinds of servers; and sources that lie. */
import { strict as assert } from 'node:assert';
import { hash as hashBytes, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { ledgerTransactions, PASSPHRASE } from '../../../test/support/ledger-xdr.ts';
import {
  chainThatSays,
  ledgerOf,
  type MadeUp,
  placeInResult,
  placesIn,
  recordedMetas,
  type Said,
  UNKNOWN,
  withArmAt,
} from '../../../test/support/made-up-arms.ts';
import { KNOWN_PROTOCOL } from '../protocol/known-protocol.ts';
import { xdr } from '../protocol/sdk.ts';
import type { LedgerTransaction } from '../stellar.ts';
import { envelopeHash } from '../transactions/envelope.ts';
import { historyHeader } from './ledger-header.ts';
import { proofOf } from './ledger-proof.ts';
import { doubtsOf, transactionSet } from './transaction-set.ts';
import { whyUnknown } from './unknown-arms.ts';

/** Four transactions each: payments, fee-bumps, path payments, offers, sponsored entries. */
const ledgers = [21, 36].map((index) => ledgerOf(recordedMetas()[index] as Buffer));
const [ledger] = ledgers as [MadeUp];

const plain = ({ ledger, hash, envelope, result, meta }: LedgerTransaction) => ({
  ledger,
  hash,
  envelope: envelope.toString('hex'),
  result: result.toString('hex'),
  meta: meta?.toString('hex'),
});

async function refused(kind: 'rpc' | 'horizon', said: Said, reason: RegExp): Promise<void> {
  const { read } = chainThatSays(kind, said);
  await assert.rejects(read(), ({ cause }: Error) => reason.test(`${cause}`));
}

/** Reads the ledger from such a server, and requires every transaction of it. Gives the types of unknown arms that were met. */
async function typesMet(kind: 'rpc' | 'horizon', changed: MadeUp): Promise<unknown[]> {
  const { read, metrics } = chainThatSays(kind, changed);
  const range = await read();
  assert(range.read === 'ledgers');
  assert.deepEqual(range.transactions.map(plain), changed.transactions.map(plain));
  for (const transaction of range.transactions) {
    assert.equal(transaction.unknown, whyUnknown(transaction) ?? undefined);
    assert.ok(!transaction.isDoubtful?.());
  }
  return (await metrics.unknown_arms.get()).values.map(({ labels }) => labels.type);
}

test('an unknown arm or value in any place of a ledger stops no source: every transaction is read and proven', async () => {
  const counts = { unions: 0, enums: 0, undecodable: 0 };
  const places = ledgers.flatMap((recorded) => placesIn(recorded.meta).map((place) => ({ recorded, place })));
  for (const { recorded, place } of places) {
    const { kind, name } = place.type;
    const changed = withArmAt(recorded, place.at);
    assert.deepEqual(await typesMet('rpc', changed), kind === 'union' ? [name] : []);
    await typesMet('horizon', changed);
    counts[kind === 'union' ? 'unions' : 'enums']++;
    if (changed.transactions.some(whyUnknown)) counts.undecodable++;
  }
  console.log('  places:', counts);
  assert.ok(counts.unions > 400 && counts.undecodable > 50);
});

test('what a ledger has of a later protocol is logged once for each kind, and counted by type', async () => {
  const { stellar, lines, metrics } = chainThatSays('rpc', withArmAt(ledger, placeInResult(ledger, 3)));
  const anchors = [null, { ledger: ledger.sequence - 1, hash: ledger.entry.toString('hex', 36, 68) }];
  for (const anchor of anchors) await stellar.readLedgersAfter(ledger.sequence - 1, anchor);
  const told = lines.filter(({ details }) => 'type' in details);
  assert.deepEqual(
    told.map(({ details }) => details),
    [
      {
        type: 'OperationResultTr',
        discriminant: UNKNOWN,
        protocol_version: 27,
        known_protocol: KNOWN_PROTOCOL,
      },
    ],
  );
  assert.ok(
    (await metrics.unknown_arms.get()).values.every(({ labels }) => labels.type === 'OperationResultTr'),
  );
});

/** What a source says that puts the transaction behind `index` into the result of that one. */
function joined(transactions: LedgerTransaction[], index: number): LedgerTransaction[] {
  const [into, hidden] = transactions.slice(index, index + 2) as [LedgerTransaction, LedgerTransaction];
  const result = Buffer.concat([into.result, Buffer.from(hidden.hash, 'hex'), hidden.result]);
  return transactions.toSpliced(index, 2, { ...into, result });
}

/** What a source says that gives the transaction inside a fee-bump as one of its own. The bytes of all results stay the same. */
function unwrapped(transactions: LedgerTransaction[], index: number): LedgerTransaction[] {
  const bump = transactions[index] as LedgerTransaction;
  const { innerTx } = (xdr.TransactionEnvelope.fromXdr(bump.envelope).value as xdr.FeeBumpTransactionEnvelope)
    .tx;
  const envelope = xdr.TransactionEnvelope.envelopeTypeTx(innerTx.value as xdr.TransactionV1Envelope);
  const hash = bump.result.toString('hex', 12, 44);
  const inner = { ...bump, hash, envelope: Buffer.from(envelope.toXdr()), result: bump.result.subarray(44) };
  return transactions.toSpliced(index, 1, { ...bump, result: bump.result.subarray(0, 12) }, inner);
}

test('a payment cannot be hidden in an unknown result: the count of transactions is proven', async () => {
  const unknown = withArmAt(ledger, placeInResult(ledger, 2));
  for (const kind of ['rpc', 'horizon'] as const)
    await refused(kind, { ...unknown, said: joined(unknown.transactions, 2) }, /is not whole/);
});

test('nor is it hidden when a fee-bump with an unknown result is given as two, so that the count fits', async () => {
  const code = placeInResult(ledger, 0, 'TransactionResultResult');
  const places = [placeInResult(ledger, 2), placeInResult(ledger, 0), code];
  const unknown = places.reduce(withArmAt, ledger);
  const said = unwrapped(joined(unknown.transactions, 2), 0);
  assert.equal(proofOf(historyHeader('test', unknown.sequence, unknown.entry), said), 'whole_by_bytes');
  await refused(
    'rpc',
    { ...unknown, said },
    /of protocol 27, .* 30; the transaction set does not show these/,
  );
  await refused(
    'horizon',
    { ...unknown, said },
    /of protocol 27, .* 30; the result of .* may hold another one/,
  );
  for (const kind of ['rpc', 'horizon'] as const)
    assert.equal((await chainThatSays(kind, unknown).read()).read, 'ledgers', 'the truth is read');
});

test('an envelope that is not the transaction’s own is refused, known or not', async () => {
  const unknown = withArmAt(ledger, placeInResult(ledger, 2));
  const [first, ...rest] = unknown.transactions as [LedgerTransaction, LedgerTransaction];
  for (const envelope of [
    rest[0].envelope,
    first.envelope.subarray(0, -4),
    Buffer.concat([first.envelope, Buffer.alloc(4)]),
  ])
    for (const kind of ['rpc', 'horizon'] as const)
      await refused(kind, { ...unknown, said: [{ ...first, envelope }, ...rest] }, /not the XDR of/);
});

test('a set with another hash than the header’s, and a set that is not given, prove no unknown result', async () => {
  const unknown = withArmAt(ledger, placeInResult(ledger, 2));
  const other = Buffer.from(unknown.meta);
  other.writeUInt8(1, other.indexOf(unknown.set) + 5); // in the hash of the ledger before
  for (const meta of [other, Buffer.alloc(8, 9)])
    await refused(
      'rpc',
      { ...unknown, meta },
      /the transaction set does not show these transactions|getLedgers/,
    );
});

/** A transaction set of one phase with these envelopes. */
function setOf(transactions: LedgerTransaction[]): Buffer {
  const words = Buffer.alloc(24);
  for (const [index, word] of [1, 0, 1, 0, 0, transactions.length].entries())
    words.writeUInt32BE(word, index * 4);
  const start = [Buffer.from([0, 0, 0, 1]), Buffer.alloc(32), words];
  return Buffer.concat([...start, ...transactions.map(({ envelope }) => envelope)]);
}

test('a transaction that a source cuts out of an unknown one is doubtful, with what it swallows', () => {
  const [before, ours] = ledgerTransactions(5, 2) as [LedgerTransaction, LedgerTransaction];
  const unknown_result = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UNKNOWN]);
  const unsigned = (body: Buffer) => Buffer.concat([body, Buffer.alloc(4)]);
  const madeUp = () => Buffer.concat([Buffer.from([0, 0, 0, 2, 0, 0, 0, UNKNOWN]), randomBytes(60)]);
  const applied = (envelope: Buffer, signed_end: number, ...results: Buffer[]): LedgerTransaction => {
    const hash = envelopeHash(PASSPHRASE, envelope, signed_end);
    return { ledger: 5, meta: null, envelope, hash, result: Buffer.concat([unknown_result, ...results]) };
  };
  const pair = ({ hash, result }: LedgerTransaction) => Buffer.concat([Buffer.from(hash, 'hex'), result]);
  // Inside the attacker's envelope begin two others: the first ends in it, the second behind the one of ours.
  const [head, inside] = [madeUp(), madeUp()];
  const attack = Buffer.concat([unsigned(head), inside]);
  const cut = applied(unsigned(head), head.length);
  const swallowing = Buffer.concat([unsigned(inside), ours.envelope]);
  const swallows = applied(swallowing, swallowing.length - 76, pair(ours));
  const hashes = [pair(cut), Buffer.from(swallows.hash, 'hex'), unknown_result];
  const whole = applied(unsigned(attack), attack.length, ...hashes);
  const loose = { ...before, result: unknown_result };
  const truth = [loose, whole, ours];
  const hiding = {
    ...loose,
    result: Buffer.concat([unknown_result, Buffer.from(whole.hash, 'hex'), unknown_result]),
  };
  const lie = [hiding, cut, swallows];
  assert.deepEqual(Buffer.concat(lie.map(pair)), Buffer.concat(truth.map(pair)), 'the results prove both');
  assert.deepEqual(setOf(lie), setOf(truth), 'and the set proves both');
  const header = { tx_set_hash: hashBytes('sha256', setOf(truth), 'buffer') };
  for (const said of [lie, truth]) {
    const set = transactionSet(header, setOf(said), said);
    assert.ok(set);
    assert.deepEqual(said.map(doubtsOf(PASSPHRASE, set, said)), [false, true, true]);
  }
  // A result that only names the hash of a payment of ours makes nobody else's doubtful.
  const naming = { ...loose, result: Buffer.concat([unknown_result, Buffer.from(ours.hash, 'hex')]) };
  const named = [naming, ours, ledgerTransactions(6, 1)[0] as LedgerTransaction];
  const set = transactionSet(
    { tx_set_hash: hashBytes('sha256', setOf(named), 'buffer') },
    setOf(named),
    named,
  );
  assert.ok(set);
  assert.deepEqual(named.map(doubtsOf(PASSPHRASE, set, named)), [false, true, false]);
});
