import type { xdr } from '@stellar/stellar-sdk/base';
import type { EventSink, Party } from './events.ts';

/**
 * A trade is two transfers: first what the taker gives, then what the seller gives (stellar-core, EventManager.cpp
 * eventsForClaimAtoms). Neither end has a muxed id or memo (CAP-67).
 */
export function tradeEvents(events: EventSink, taker: Uint8Array, claimed: xdr.ClaimAtomWire[]): void {
  const from: Party = { type: 0, ed25519: taker };
  for (const atom of claimed) {
    const { assetBought, amountBought, assetSold, amountSold } = tradeOf(atom);
    const seller = sellerOf(atom);
    events.transfer(assetBought, from, seller, amountBought, 'bare');
    events.transfer(assetSold, seller, from, amountSold, 'bare');
  }
}

function tradeOf(atom: xdr.ClaimAtomWire) {
  if (atom.type === 0) return atom.v0;
  return atom.type === 1 ? atom.orderBook : atom.liquidityPool;
}

/** Pools and the oldest form of atoms occur in recorded ledgers only. */
function sellerOf(atom: xdr.ClaimAtomWire): Party {
  if (atom.type === 0) return { type: 0, ed25519: atom.v0.sellerEd25519 };
  if (atom.type === 1) return { type: 0, ed25519: atom.orderBook.sellerId.ed25519 };
  return { address: { type: 4, liquidityPoolId: atom.liquidityPool.liquidityPoolId } };
}
