import assert from 'node:assert/strict';
import { type Keypair, xdr } from '@stellar/stellar-sdk/base';
import type { Asset, IssuedAsset } from '../ledger/asset.ts';
import { INT64_MAX, sameBytes } from '../ledger/bytes.ts';
import { publicKey } from '../ledger/entry.ts';
import type { Offer } from '../ledger/offer-book.ts';
import { loadOffer } from '../ledger/offer-book.ts';
import type { Price } from '../ledger/offer-exchange.ts';
import type { Body } from '../ledger/operations/rules.ts';
import type { TrustLine } from '../ledger/trust-line.ts';
import { loadTrustLine } from '../ledger/trust-line.ts';
import { assertConsistent } from './ledger-invariants.ts';
import { TestNetwork, UNIT } from './test-network.ts';

type Limit = { limit?: bigint };

/** An issuer of USD and EUR, and two traders with 1,000 units of each and of the native asset. Amounts in stroops. */
export class TradeWorld {
  readonly net = new TestNetwork();
  readonly issuer: Keypair;
  readonly maker: Keypair;
  readonly taker: Keypair;
  readonly usd: IssuedAsset;
  readonly eur: IssuedAsset;

  constructor() {
    const keys = this.net.accounts(1000n * UNIT, 1000n * UNIT, 1000n * UNIT);
    [this.issuer, this.maker, this.taker] = keys as [Keypair, Keypair, Keypair];
    this.usd = assetOf('USD', this.issuer);
    this.eur = assetOf('EUR', this.issuer);
    for (const trader of [this.maker, this.taker]) {
      for (const asset of [this.usd, this.eur]) this.endow(trader, asset, 1000n * UNIT);
    }
  }

  endow(owner: Keypair, asset: IssuedAsset, amount: bigint, { limit = INT64_MAX }: Limit = {}): void {
    this.must(owner, trust(asset, limit));
    if (amount > 0n) this.must(this.issuer, pay(owner, asset, amount));
  }

  /** Applies the operations in one transaction of `source`. All sources of operations sign too. */
  apply(source: Keypair, ...operations: xdr.Operation[]): string {
    const signers = [this.issuer, this.maker, this.taker].filter(
      (key) => key !== source && names(operations, key),
    );
    return this.net.applied(this.net.build(source, operations, { signers: [source, ...signers] }));
  }

  must(source: Keypair, ...operations: xdr.Operation[]): void {
    assert.equal(this.apply(source, ...operations), 'txSuccess');
    assertConsistent(this.net.network);
  }

  /** The result of the only operation of a transaction that must succeed, and its number of events. */
  run(source: Keypair, operation: xdr.Operation): { result: xdr.OperationResultTrWire; events: number } {
    const transaction = this.net.build(source, [operation]);
    assert.equal(this.net.submit(transaction).status, 'PENDING');
    const closed = this.net.close().transactions[0];
    assert.ok(closed?.successful && closed.meta.v === 4);
    assertConsistent(this.net.network);
    const { result } = xdr.TransactionResult.schema.decode(closed.resultXdr);
    assert.ok(result.code === 0 && result.results[0]?.code === 0);
    return { result: result.results[0].tr, events: closed.meta.v4.operations[0]?.events.length ?? 0 };
  }

  /** Changes the flags of the holder's line. The issuer may remove authorizations from then on. */
  authorize(
    holder: Keypair,
    asset: IssuedAsset,
    { clear = 0, set = 0 }: { clear?: number; set?: number },
  ): void {
    const trustor = publicKey(holder.rawPublicKey());
    const revocable = { ...NO_OPTIONS, setFlags: 2 };
    this.must(
      this.issuer,
      operation({ type: 5, setOptionsOp: revocable }),
      operation({ type: 21, setTrustLineFlagsOp: { trustor, asset, clearFlags: clear, setFlags: set } }),
    );
  }

  offers(): Offer[] {
    const entries = [...this.net.network.store.entries()];
    return entries.flatMap(([, { data }]) => (data.type === 2 ? [data.offer] : []));
  }

  offer(owner: Keypair, offerId: bigint): Offer | undefined {
    return loadOffer(this.#view, owner.rawPublicKey(), offerId);
  }

  line(owner: Keypair, asset: IssuedAsset): TrustLine {
    const line = loadTrustLine(this.#view, owner.rawPublicKey(), asset);
    assert.ok(line);
    return line;
  }

  balance(owner: Keypair, asset: Asset): bigint {
    return asset.type === 0 ? this.net.balance(owner) : this.line(owner, asset).balance;
  }

  get lastOfferId(): bigint {
    return this.net.network.latest.header.idPool;
  }

  get #view() {
    return this.net.network.state;
  }
}

const NO_OPTIONS: xdr.SetOptionsOpWire = {
  inflationDest: null,
  clearFlags: null,
  setFlags: null,
  masterWeight: null,
  lowThreshold: null,
  medThreshold: null,
  highThreshold: null,
  homeDomain: null,
  signer: null,
};

export const PAR: Price = { n: 1, d: 1 };
type OfferOptions = { price?: Price; offerId?: bigint; source?: Keypair };

export function sell(
  selling: Asset,
  buying: Asset,
  amount: bigint,
  options: OfferOptions = {},
): xdr.Operation {
  const { price = PAR, offerId = 0n, source } = options;
  return operation({ type: 3, manageSellOfferOp: { selling, buying, amount, price, offerId } }, source);
}

export function buy(
  selling: Asset,
  buying: Asset,
  buyAmount: bigint,
  options: OfferOptions = {},
): xdr.Operation {
  const { price = PAR, offerId = 0n, source } = options;
  return operation({ type: 12, manageBuyOfferOp: { selling, buying, buyAmount, price, offerId } }, source);
}

export function sellPassively(selling: Asset, buying: Asset, amount: bigint, price = PAR): xdr.Operation {
  return operation({ type: 4, createPassiveSellOfferOp: { selling, buying, amount, price } });
}

type Path = { from: Asset; to: Asset; path?: Asset[]; destination: Keypair; source?: Keypair };

export function receiveStrictly(
  { from, to, path = [], destination, source }: Path,
  amount: bigint,
  max: bigint,
) {
  const ends = { sendAsset: from, destAsset: to, path, destination: muxed(destination) };
  return operation(
    { type: 2, pathPaymentStrictReceiveOp: { ...ends, destAmount: amount, sendMax: max } },
    source,
  );
}

export function sendStrictly(
  { from, to, path = [], destination, source }: Path,
  amount: bigint,
  min: bigint,
) {
  const ends = { sendAsset: from, destAsset: to, path, destination: muxed(destination) };
  return operation(
    { type: 13, pathPaymentStrictSendOp: { ...ends, sendAmount: amount, destMin: min } },
    source,
  );
}

export function trust(asset: IssuedAsset, limit: bigint): xdr.Operation {
  return operation({ type: 6, changeTrustOp: { line: asset, limit } });
}

export function pay(to: Keypair, asset: Asset, amount: bigint): xdr.Operation {
  return operation({ type: 1, paymentOp: { destination: muxed(to), asset, amount } });
}

export function assetOf(code: string, issuer: Keypair): IssuedAsset {
  const assetCode = new Uint8Array(4);
  assetCode.set(Buffer.from(code));
  return { type: 1, alphaNum4: { assetCode, issuer: publicKey(issuer.rawPublicKey()) } };
}

export function operation(body: Body, source?: Keypair): xdr.Operation {
  return xdr.Operation.fromXdrObject({ sourceAccount: source === undefined ? null : muxed(source), body });
}

function muxed(key: Keypair): xdr.MuxedAccountWire {
  return { type: 0, ed25519: key.rawPublicKey() };
}

function names(operations: xdr.Operation[], key: Keypair): boolean {
  return operations.some(({ sourceAccount }) => {
    const source = sourceAccount?.toXdrObject();
    return source?.type === 0 && sameBytes(source.ed25519, key.rawPublicKey());
  });
}
