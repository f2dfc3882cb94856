import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Networks, type xdr } from '@stellar/stellar-sdk/base';
import { afterOurs, afterTheirs, encodeEvents, reapply, stateBefore } from '../testing/reapply.ts';
import type { RecordedOperation } from '../testing/recorded-operations.ts';
import { recordedOperations, recording } from '../testing/recorded-operations.ts';
import { sameAsset } from './asset.ts';
import { INT64_MAX } from './bytes.ts';
import { AssetContracts, EventSink } from './events.ts';
import { loadHolding } from './holding.ts';
import { LedgerTxn } from './ledger-txn.ts';
import { convertWithOffers, MAX_OFFERS_TO_CROSS } from './offer-crossing.ts';
import { tradeEvents } from './offer-events.ts';
import { paid } from './operations/path-payment.ts';
import type { OperationResult } from './operations/rules.ts';

/** Path payments and offers. */
const EXCHANGES = [2, 3, 4, 12, 13];
const contracts = new AssetContracts(Networks.PUBLIC);

const pubnet = recording('wallet-backend');
describe('offers and path payments of the public network', pubnet, () => {
  const recorded = [...recordedOperations(pubnet.folder, Networks.PUBLIC, EXCHANGES)];
  const withPools = recorded.filter(({ result }) => claimedOf(result).some(({ type }) => type === 2));
  const withoutPools = recorded.filter((exchange) => !withPools.includes(exchange));

  test('have the events that follow from their claim atoms, byte for byte, those of liquidity pools too', () => {
    assert.ok(withPools.length > 50);
    assert.ok(withoutPools.length > 500);
    for (const exchange of recorded) {
      const events = new EventSink(contracts, exchange.tx.tx.memo);
      tell(exchange, events);
      assert.deepEqual(encodeEvents(events.events), encodeEvents(exchange.meta.events), exchange.name);
    }
  });

  test('applied to the same entries, give the same results, entries and events', () => {
    const complete = withoutPools.filter(hasTradersLines);
    assert.ok(complete.length > 0.99 * withoutPools.length);
    assert.ok(complete.reduce((sum, { result }) => sum + claimedOf(result).length, 0) > 100);
    for (const exchange of complete) {
      const { result, changes, events } = reapplied(exchange);
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
  test(`stellar-core's own ${name} give the same results`, own, () => {
    const recorded = [...recordedOperations(own.folder, '', EXCHANGES)];
    assert.ok(recorded.length > 0);
    for (const exchange of recorded) {
      const { result, changes } = reapplied(exchange);
      assert.deepEqual(result, exchange.result, exchange.name);
      assert.deepEqual(afterOurs(changes), afterTheirs(exchange.meta.changes), exchange.name);
    }
  });
}

type Atoms = Extract<xdr.ClaimAtomWire, { type: 1 }>['orderBook'][];

/** The offers taken on each hop of a path payment that went over the order book. */
function bookHops({ result }: RecordedOperation): Atoms[] {
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

/** The same hop again, from the amount that the payment had to send or to receive. */
function takeAgain(exchange: RecordedOperation, hop: Atoms): xdr.ClaimAtomWire[] {
  const { header, source, body } = exchange;
  const [first] = hop;
  assert.ok(first);
  const forwards = body.type === 13;
  const total = (amounts: bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n);
  const txn = new LedgerTxn(stateBefore(exchange), header.ledgerSeq);
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

function tell({ body, result, source }: RecordedOperation, events: EventSink): void {
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

function reapplied(exchange: RecordedOperation) {
  return reapply(exchange, contracts, (createdOffer(exchange.result) ?? 1n) - 1n);
}

/** An offer without an exchange only read the trust lines of its owner, which are not in meta. */
function hasTradersLines(exchange: RecordedOperation): boolean {
  const { body, meta, source } = exchange;
  const offer =
    (body.type === 3 && body.manageSellOfferOp) || (body.type === 12 && body.manageBuyOfferOp) || undefined;
  if (offer === undefined || meta.changes.some(({ type }) => type === 2)) return true;
  const state = stateBefore(exchange);
  return [offer.selling, offer.buying].every((asset) => loadHolding(state, source, asset) !== undefined);
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
