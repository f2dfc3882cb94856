import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  Account,
  Asset,
  Claimant,
  Keypair,
  MuxedAccount,
  Operation,
  type xdr,
} from '@stellar/stellar-sdk/base';
import fc from 'fast-check';
import { balancesInLedger, followEvents } from '../testing/event-balances.ts';
import { assertConsistent } from '../testing/ledger-invariants.ts';
import { TestNetwork, UNIT, units } from '../testing/test-network.ts';
import type { Entry } from './entry.ts';

/** The first account issues all assets. */
const KEYS = Array.from({ length: 5 }, (_, index) => Keypair.fromRawEd25519Seed(Buffer.alloc(32, index + 1)));
const [ISSUER] = KEYS as [Keypair];
const ISSUED = [new Asset('USD', ISSUER.publicKey()), new Asset('LONGER', ISSUER.publicKey())] as const;
const ASSETS = [Asset.native(), ...ISSUED];

type Move = { kind: number; actor: number; other: number; asset: number; amount: bigint; pick: number };

/** Without the bias towards small numbers, which would make most moves equal. */
const below = (count: number) => fc.noBias(fc.nat({ max: count - 1 }));

const move: fc.Arbitrary<Move> = fc.record({
  kind: below(16),
  actor: below(KEYS.length),
  other: below(KEYS.length - 1),
  asset: below(ASSETS.length),
  amount: fc.oneof(
    { weight: 5, arbitrary: fc.noBias(fc.bigInt({ min: 1n, max: 10n * UNIT })) },
    { weight: 1, arbitrary: fc.constantFrom(1n, 7n, 2n ** 62n) },
  ),
  pick: below(12),
});

const seldomAnother = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: below(KEYS.length - 1) },
);

/**
 * A transaction of one or two operations, with sponsored reserves or not. Several may be in one ledger, so an
 * account may no longer exist when its transaction is applied.
 */
const transaction = fc.record({
  first: move,
  second: fc.option(move, { freq: 2 }),
  sponsor: seldomAnother,
  payer: seldomAnother,
  sentByActor: fc.boolean(),
  closes: fc.boolean(),
});
type RandomTransaction = typeof transaction extends fc.Arbitrary<infer T> ? T : never;

test('after any operations, no asset is created or lost, every counter is right, and events give every balance', () => {
  fc.assert(
    fc.property(fc.array(transaction, { minLength: 60, maxLength: 60 }), (transactions) => {
      const net = new TestNetwork();
      const balances = balancesInLedger(entriesOf(net));
      net.network.onClose({ after: (ledger) => followEvents(balances, ledger) });
      prepare(net);
      for (const sent of transactions) {
        submit(net, sent);
        if (!sent.closes) continue;
        net.close();
        assertConsistent(net.network);
      }
      net.close();
      assertConsistent(net.network);
      assert.deepEqual(balances, balancesInLedger(entriesOf(net)));
    }),
    { numRuns: 25 },
  );
});

/** The answer does not matter: a refused transaction must change nothing either. */
function submit(net: TestNetwork, { first, second, sponsor, payer, sentByActor }: RandomTransaction): void {
  const moves = second === null ? [first] : [first, second];
  const operations = moves.flatMap((each) => operationsFor(each, entriesOf(net)));
  if (operations.length === 0) return;
  const actor = key(first.actor);
  const all = sponsor === null ? operations : sponsoredBy(another(first.actor, sponsor), actor, operations);
  const source = sentByActor ? actor : net.root;
  const inner = net.build(source, all, { signers: [...new Set([source, ...sourcesOf(all)])] });
  net.submit(payer === null ? inner : net.feeBump(inner, another(first.actor, payer), '100'));
}

function key(index: number): Keypair {
  return KEYS[index] as Keypair;
}

function another(than: number, offset: number): Keypair {
  return key((than + 1 + offset) % KEYS.length);
}

function entriesOf(net: TestNetwork): Entry[] {
  return [...net.network.store.entries()].map(([, entry]) => entry);
}

/** Accounts with trust lines and balances. The issuer has every right over them. */
function prepare(net: TestNetwork): void {
  const startingBalance = '40';
  net.must(
    net.root,
    KEYS.map((each) => Operation.createAccount({ destination: each.publicKey(), startingBalance })),
  );
  net.must(ISSUER, [Operation.setOptions({ setFlags: 10 as 2 })]);
  for (const owner of KEYS.slice(1)) {
    net.must(
      owner,
      ISSUED.map((asset) => Operation.changeTrust({ asset, limit: '100' })),
    );
    const destination = owner.publicKey();
    net.must(
      ISSUER,
      ISSUED.map((asset) => Operation.payment({ destination, asset, amount: '50' })),
    );
  }
}

function sponsoredBy(sponsor: Keypair, owner: Keypair, operations: xdr.Operation[]): xdr.Operation[] {
  const sponsoredId = owner.publicKey();
  return [
    Operation.beginSponsoringFutureReserves({ sponsoredId, source: sponsor.publicKey() }),
    ...operations,
    Operation.endSponsoringFutureReserves({ source: sponsoredId }),
  ];
}

function sourcesOf(operations: xdr.Operation[]): Keypair[] {
  const sources = operations.map((operation) => operation.sourceAccount?.toXdrObject());
  return KEYS.filter((each) =>
    sources.some(
      (source) => source?.type === 0 && each.rawPublicKey().every((byte, at) => byte === source.ed25519[at]),
    ),
  );
}

function operationsFor(m: Move, entries: Entry[]): xdr.Operation[] {
  const source = key(m.actor).publicKey();
  const destination = another(m.actor, m.other).publicKey();
  const asset = ASSETS[m.asset] as Asset;
  const issued = ISSUED[m.asset % 2] as Asset;
  const amount = units(m.amount);
  const muxed = new MuxedAccount(new Account(destination, '0'), '9').accountId();
  const price = { n: 1 + m.pick, d: 3 };
  const balanceId = balanceIdIn(entries, m.pick);
  const makers: (() => xdr.Operation | null)[] = [
    () => Operation.createAccount({ destination, startingBalance: amount, source }),
    () => Operation.payment({ destination: m.pick % 2 === 0 ? muxed : destination, asset, amount, source }),
    () => Operation.payment({ destination, asset, amount, source }),
    () => Operation.changeTrust({ asset: issued, limit: m.pick === 0 ? '0' : amount, source }),
    () =>
      Operation.setTrustLineFlags({
        trustor: destination,
        asset: issued,
        flags: { authorized: m.pick > 3 },
        source: ISSUER.publicKey(),
      }),
    () => (m.pick > 3 ? null : Operation.accountMerge({ destination, source })),
    () => Operation.createClaimableBalance({ asset, amount, claimants: claimantsFrom(m), source }),
    () => (balanceId === null ? null : Operation.claimClaimableBalance({ balanceId, source })),
    () =>
      balanceId === null
        ? null
        : Operation.clawbackClaimableBalance({ balanceId, source: ISSUER.publicKey() }),
    () => Operation.clawback({ asset: issued, from: destination, amount, source: ISSUER.publicKey() }),
    () => Operation.manageData({ name: `d${m.pick % 3}`, value: m.pick > 5 ? 'v' : null, source }),
    () => Operation.setOptions({ signer: { ed25519PublicKey: destination, weight: m.pick % 2 }, source }),
    () => Operation.manageSellOffer({ selling: asset, buying: issued, amount, price, source }),
    () => Operation.manageSellOffer({ selling: issued, buying: Asset.native(), amount, price, source }),
    () =>
      Operation.pathPaymentStrictSend({
        sendAsset: asset,
        sendAmount: amount,
        destination,
        destAsset: issued,
        destMin: '0.0000001',
        source,
      }),
    () =>
      Operation.pathPaymentStrictReceive({
        sendAsset: issued,
        sendMax: amount,
        destination,
        destAsset: asset,
        destAmount: '0.5',
        source,
      }),
  ];
  const made = makers[m.kind]?.() ?? null;
  return made === null ? [] : [made];
}

function claimantsFrom({ actor, other, pick }: Move): Claimant[] {
  const predicate = pick > 8 ? Claimant.predicateBeforeRelativeTime('15') : Claimant.predicateUnconditional();
  const claimants = new Set([another(actor, other), key(actor)].slice(pick % 2));
  return [...claimants].map((each) => new Claimant(each.publicKey(), predicate));
}

function balanceIdIn(entries: Entry[], pick: number): string | null {
  const ids = entries.flatMap(({ data }) => (data.type === 4 ? [data.claimableBalance.balanceId.v0] : []));
  const id = ids[pick % Math.max(1, ids.length)];
  return id === undefined ? null : `00000000${Buffer.from(id).toString('hex')}`;
}
