import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Networks, xdr } from '@stellar/stellar-sdk/base';
import type { RecordedExchange } from '../testing/recorded-exchanges.ts';
import { recordedExchanges, recording } from '../testing/recorded-exchanges.ts';
import type { Header } from './account.ts';
import { newAccount } from './account.ts';
import { sameAsset } from './asset.ts';
import { base64, INT64_MAX } from './bytes.ts';
import type { Entry, EntryKey } from './entry.ts';
import { accountKey, keyOf, sponsorOf } from './entry.ts';
import { AssetContracts, EventSink } from './events.ts';
import { loadHolding } from './holding.ts';
import type { EntryChange } from './ledger-txn.ts';
import { LedgerTxn } from './ledger-txn.ts';
import { convertWithOffers, MAX_OFFERS_TO_CROSS } from './offer-crossing.ts';
import { tradeEvents } from './offer-events.ts';
import { paid } from './operations/path-payment.ts';
import { rulesOf } from './operations/registry.ts';
import type { ApplyContext, Body, OperationResult } from './operations/rules.ts';
import { Sponsorships } from './sponsorship.ts';
import { State } from './state.ts';
import { ed25519Of } from './transaction.ts';

const contracts = new AssetContracts(Networks.PUBLIC);

const pubnet = recording('wallet-backend');
describe('offers and path payments of the public network', pubnet, () => {
  const recorded = [...recordedExchanges(pubnet.folder, Networks.PUBLIC)];
  const withPools = recorded.filter(({ result }) => claimedOf(result).some(({ type }) => type === 2));
  const withoutPools = recorded.filter((exchange) => !withPools.includes(exchange));

  test('have the events that their claim atoms lead to, byte for byte, those of liquidity pools too', () => {
    assert.ok(withPools.length > 50);
    assert.ok(withoutPools.length > 500);
    for (const exchange of recorded) {
      const events = new EventSink(contracts, exchange.tx.tx.memo);
      tell(exchange, events);
      assert.deepEqual(encodeEvents(events.events), encodeEvents(exchange.meta.events), exchange.name);
    }
  });

  test('applied to the entries that they met, give the same results, entries and events', () => {
    const complete = withoutPools.filter(hasTradersLines);
    assert.ok(complete.length > 0.99 * withoutPools.length);
    assert.ok(complete.reduce((sum, { result }) => sum + claimedOf(result).length, 0) > 100);
    for (const exchange of complete) {
      const { result, changes, events } = reapply(exchange);
      assert.deepEqual(result, exchange.result, exchange.name);
      assert.deepEqual(afterOurs(changes), afterTheirs(exchange.meta.changes), exchange.name);
      assert.deepEqual(events, encodeEvents(exchange.meta.events), exchange.name);
    }
  });

  test('along pools too, take the same offers for the same amounts on each hop over the book', () => {
    const hops = withPools.flatMap((exchange) => bookHops(exchange).map((hop) => ({ exchange, hop })));
    assert.ok(hops.length > 20, `${hops.length} hops`);
    for (const { exchange, hop } of hops) {
      const atoms = hop.map((orderBook) => ({ type: 1, orderBook }));
      assert.deepEqual(takeAgain(exchange, hop), atoms, exchange.name);
    }
  });
});

for (const name of ['OfferTests', 'PathPaymentTests']) {
  const own = recording(`stellar-horizon/${name}`);
  test(`stellar-core's own ${name} come out the same`, own, () => {
    const recorded = [...recordedExchanges(own.folder, '')];
    assert.ok(recorded.length > 0);
    for (const exchange of recorded) {
      const { result, changes } = reapply(exchange);
      assert.deepEqual(result, exchange.result, exchange.name);
      assert.deepEqual(afterOurs(changes), afterTheirs(exchange.meta.changes), exchange.name);
    }
  });
}

type Atoms = Extract<xdr.ClaimAtomWire, { type: 1 }>['orderBook'][];

/** The offers taken on each hop of a path payment that went over the order book. */
function bookHops({ result }: RecordedExchange): Atoms[] {
  const hops: Atoms[] = [];
  let last: xdr.AssetWire | undefined;
  for (const atom of claimedOf(result)) {
    const sold = atom.type === 1 ? atom.orderBook.assetSold : undefined;
    if (atom.type === 1 && sold !== undefined) {
      if (last !== undefined && sameAsset(last, sold)) hops.at(-1)?.push(atom.orderBook);
      else hops.push([atom.orderBook]);
    }
    last = sold;
  }
  return hops;
}

/** The same hop again, from the amount that the payment had to send or to receive there. */
function takeAgain({ header, source, body, meta }: RecordedExchange, hop: Atoms): xdr.ClaimAtomWire[] {
  const [first] = hop;
  assert.ok(first);
  const forwards = body.type === 13;
  const total = (amounts: bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n);
  const txn = new LedgerTxn(stateBefore(meta.changes, body, header), header.ledgerSeq);
  const trade = convertWithOffers(
    { header, txn },
    {
      taker: source,
      sheep: first.assetBought,
      wheat: first.assetSold,
      maxSheepSend: forwards ? total(hop.map(({ amountBought }) => amountBought)) : INT64_MAX,
      maxWheatReceive: forwards ? INT64_MAX : total(hop.map(({ amountSold }) => amountSold)),
      rounding: forwards ? 'strict_send' : 'strict_receive',
      maxOffers: MAX_OFFERS_TO_CROSS,
      acceptsPrice: () => true,
    },
  );
  assert.equal(trade.end, 'satisfied');
  return trade.claimed;
}

function tell({ body, result, source }: RecordedExchange, events: EventSink): void {
  const claimed = claimedOf(result);
  if (body.type === 2) {
    const { pathPaymentStrictReceiveOp: payment } = body;
    paid(payment, payment.destAmount, claimed, { events, source });
  } else if (body.type === 13) {
    assert.ok(result.code === 0 && result.tr.type === 13 && result.tr.pathPaymentStrictSendResult.code === 0);
    const { amount } = result.tr.pathPaymentStrictSendResult.success.last;
    paid(body.pathPaymentStrictSendOp, amount, claimed, { events, source });
  } else {
    tradeEvents(events, source, claimed);
  }
}

/** Our rules on the entries as the operation's meta shows them before it. */
function reapply({ header, tx, index, source, body, result, meta }: RecordedExchange) {
  const sponsorships = new Sponsorships();
  for (const change of meta.changes) {
    const sponsor = change.type === 0 ? sponsorOf(change.created) : undefined;
    if (sponsor !== undefined) sponsorships.begin(source, sponsor);
  }
  const before = { ...header, idPool: (createdOffer(result) ?? 1n) - 1n };
  const txn = new LedgerTxn(stateBefore(meta.changes, body, header), header.ledgerSeq);
  const events = new EventSink(contracts, tx.tx.memo);
  const context: ApplyContext = {
    ...{ header: before, source, txn, events, sponsorships, tx, index },
    muxedSource: tx.tx.sourceAccount,
    highestSequence: () => undefined,
  };
  const rules = rulesOf(body);
  assert.ok(rules);
  const ours = rules.check(body, context) ?? rules.apply(body, context);
  return { result: ours, changes: txn.changes(), events: encodeEvents(events.events) };
}

/** Meta shows all that an operation wrote. What it only read is the account that a path payment goes to. */
function stateBefore(changes: xdr.LedgerEntryChangeWire[], body: Body, header: Header): State {
  const entries = new Map<EntryKey, Entry>();
  for (const change of changes) if (change.type === 3) entries.set(keyOf(change.state), change.state);
  const to = destinationOf(body);
  if (to !== undefined && !entries.has(accountKey(to))) {
    const data = { type: 0, account: newAccount(to, header) } as const;
    entries.set(accountKey(to), { lastModifiedLedgerSeq: 1, data, ext: { v: 0 } });
  }
  return new State(entries);
}

function destinationOf(body: Body): Uint8Array | undefined {
  if (body.type === 2) return ed25519Of(body.pathPaymentStrictReceiveOp.destination);
  return body.type === 13 ? ed25519Of(body.pathPaymentStrictSendOp.destination) : undefined;
}

/** An offer that came to nothing only read its owner's trust lines, and meta does not show them. */
function hasTradersLines({ body, meta, header, source }: RecordedExchange): boolean {
  const offer =
    (body.type === 3 && body.manageSellOfferOp) || (body.type === 12 && body.manageBuyOfferOp) || undefined;
  if (offer === undefined || meta.changes.some(({ type }) => type === 2)) return true;
  const state = stateBefore(meta.changes, body, header);
  return [offer.selling, offer.buying].every((asset) => loadHolding(state, source, asset) !== undefined);
}

function afterOurs(changes: EntryChange[]): Map<EntryKey, Entry | null> {
  return sorted(changes.map(({ key, after }) => [key, after ?? null]));
}

function afterTheirs(changes: xdr.LedgerEntryChangeWire[]): Map<EntryKey, Entry | null> {
  const after = changes.flatMap((change): [EntryKey, Entry | null][] => {
    if (change.type === 0) return [[keyOf(change.created), change.created]];
    if (change.type === 1) return [[keyOf(change.updated), change.updated]];
    return change.type === 2 ? [[base64(xdr.LedgerKey.schema.encode(change.removed)), null]] : [];
  });
  return sorted(after);
}

function sorted(entries: [EntryKey, Entry | null][]): Map<EntryKey, Entry | null> {
  return new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function claimedOf(result: OperationResult): xdr.ClaimAtomWire[] {
  assert.ok(result.code === 0);
  const { tr } = result;
  if (tr.type === 2 && tr.pathPaymentStrictReceiveResult.code === 0) {
    return tr.pathPaymentStrictReceiveResult.success.offers;
  }
  if (tr.type === 13 && tr.pathPaymentStrictSendResult.code === 0) {
    return tr.pathPaymentStrictSendResult.success.offers;
  }
  return offerResult(result)?.offersClaimed ?? [];
}

function createdOffer(result: OperationResult): bigint | undefined {
  const offer = offerResult(result)?.offer;
  return offer?.effect === 0 ? offer.offer.offerId : undefined;
}

function offerResult(result: OperationResult): xdr.ManageOfferSuccessResultWire | undefined {
  if (result.code !== 0) return undefined;
  const { tr } = result;
  if (tr.type === 3 && tr.manageSellOfferResult.code === 0) return tr.manageSellOfferResult.success;
  if (tr.type === 12 && tr.manageBuyOfferResult.code === 0) return tr.manageBuyOfferResult.success;
  return undefined;
}

function encodeEvents(events: xdr.ContractEventWire[]): string[] {
  return events.map((event) => base64(xdr.ContractEvent.schema.encode(event)));
}
