import { rootKeypair } from '../ledger/genesis.ts';
import type { StellarNode } from '../node.ts';
import { testAssets } from '../test-assets.ts';
import { units } from './sentence-parts.ts';

/** What a client must know about the network. The page shows it. */
export function networkView(node: StellarNode) {
  const { header } = node.latest;
  const root = rootKeypair(node.options.passphrase);
  return {
    passphrase: node.options.passphrase,
    protocol_version: header.ledgerVersion,
    latest_ledger: header.ledgerSeq,
    oldest_ledger: node.oldest.sequence,
    close_seconds: node.options.close_seconds,
    base_fee: units(BigInt(header.baseFee)),
    base_reserve: units(BigInt(header.baseReserve)),
    max_operations: header.maxTxSetSize,
    /** Everybody knows this key: it is the same on every network with this passphrase. */
    root: { address: root.publicKey(), secret: root.secret() },
    test_assets: testAssets(node.options.passphrase),
  };
}
