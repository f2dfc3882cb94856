import { Asset, Claimant, type Keypair, Operation, type xdr } from '@stellar/stellar-sdk/base';
import { trustLineKey } from '../ledger/entry.ts';
import type { TrustLine } from '../ledger/trust-line.ts';
import { TestNetwork, UNIT, units } from './test-network.ts';

/** An issuer of USD and two wallets with 100 units of the native asset each. */
export class AssetWorld {
  readonly net = new TestNetwork();
  readonly issuer: Keypair;
  readonly alice: Keypair;
  readonly bob: Keypair;
  readonly usd: Asset;

  /** @param flags flags of the issuer's account */
  constructor(flags = 0) {
    const keys = this.net.accounts(100n * UNIT, 100n * UNIT, 100n * UNIT);
    [this.issuer, this.alice, this.bob] = keys as [Keypair, Keypair, Keypair];
    this.usd = new Asset('USD', this.issuer.publicKey());
    if (flags !== 0) this.net.must(this.issuer, [Operation.setOptions({ setFlags: flags as 1 })]);
  }

  /** A trust line to USD with this limit and balance, in stroops. */
  hold(owner: Keypair, balance: bigint, limit = 1_000n * UNIT): void {
    this.net.must(owner, [this.trust(limit)]);
    if (balance > 0n) this.net.must(this.issuer, [this.pay(owner, balance)]);
  }

  trust(limit: bigint, source?: Keypair): xdr.Operation {
    return Operation.changeTrust({ asset: this.usd, limit: units(limit), ...from(source) });
  }

  pay(destination: Keypair | string, stroops: bigint, source?: Keypair): xdr.Operation {
    const to = typeof destination === 'string' ? destination : destination.publicKey();
    return Operation.payment({
      destination: to,
      asset: this.usd,
      amount: units(stroops),
      ...from(source),
    });
  }

  authorize(trustor: Keypair, flags: Parameters<typeof Operation.setTrustLineFlags>[0]['flags']) {
    return Operation.setTrustLineFlags({ trustor: trustor.publicKey(), asset: this.usd, flags });
  }

  /** Sells this many stroops of one asset for as many of the other. */
  offer(selling: Asset, buying: Asset, stroops: bigint): xdr.Operation {
    return Operation.manageSellOffer({ selling, buying, amount: units(stroops), price: '1' });
  }

  give(asset: Asset, stroops: bigint, ...claimants: (Keypair | Claimant)[]): xdr.Operation {
    return Operation.createClaimableBalance({
      asset,
      amount: units(stroops),
      claimants: claimants.map((claimant) =>
        claimant instanceof Claimant ? claimant : new Claimant(claimant.publicKey()),
      ),
    });
  }

  line(owner: Keypair): TrustLine | undefined {
    const asset = this.usd.toTrustLineXDRObject().toXdrObject();
    const data = this.net.network.entry(trustLineKey(owner.rawPublicKey(), asset))?.data;
    return data?.type === 1 ? data.trustLine : undefined;
  }

  held(owner: Keypair): bigint {
    return this.line(owner)?.balance ?? -1n;
  }
}

function from(source: Keypair | undefined): { source?: string } {
  return source === undefined ? {} : { source: source.publicKey() };
}

/** The reserves that the account pays for others, and that others pay for it. */
export function sponsorships(net: TestNetwork, key: Keypair): { sponsoring: number; sponsored: number } {
  const { ext } = net.account(key);
  const v2 = ext.v === 1 && ext.v1.ext.v === 2 ? ext.v1.ext.v2 : null;
  return { sponsoring: v2?.numSponsoring ?? 0, sponsored: v2?.numSponsored ?? 0 };
}
