import type { Network } from '../network.ts';

export type RpcContext = { network: Network; friendbot_url: () => string };

/** One JSON-RPC method; throws RpcError for an error answer. */
export type RpcMethod = (params: unknown, context: RpcContext) => unknown;

/** The fields that tell what history an answer of "not found" has looked at. Times are strings here. */
export function ledgerRange({ network }: RpcContext) {
  return {
    latestLedger: network.latest.header.ledgerSeq,
    latestLedgerCloseTime: network.latest.header.scpValue.closeTime.toString(),
    oldestLedger: network.oldest.sequence,
    oldestLedgerCloseTime: network.oldest.close_time.toString(),
  };
}
