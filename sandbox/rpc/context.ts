import type { StellarNode } from '../node.ts';

export type RpcContext = { node: StellarNode; friendbot_url: () => string };

/** One JSON-RPC method. It throws RpcError for an error answer. */
export type RpcMethod = (params: unknown, context: RpcContext) => unknown;

/** The history that was searched, for answers of "not found". Times are strings here. */
export function ledgerRange({ node }: RpcContext) {
  return {
    latestLedger: node.latest.header.ledgerSeq,
    latestLedgerCloseTime: node.latest.header.scpValue.closeTime.toString(),
    oldestLedger: node.oldest.sequence,
    oldestLedgerCloseTime: node.oldest.close_time.toString(),
  };
}
