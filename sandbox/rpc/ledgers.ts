import { base64 } from '../ledger/bytes.ts';
import type { StellarNode } from '../node.ts';
import type { LedgerRange } from '../store/history-query.ts';
import type { StoredLedger } from '../store/ledger-store.ts';
import type { RpcMethod } from './context.ts';
import { ledgerRange } from './context.ts';
import { INTERNAL_ERROR, invalidParams, RpcError } from './errors.ts';
import { headerHistoryEntryXdr, ledgerCloseMetaXdr } from './ledger-close-meta.ts';
import { checkPage, pagedParams, parseParams } from './params.ts';
import { releaseOf, supportedProtocol } from './versions.ts';

/** stellar-rpc reports that it is unhealthy when its newest ledger is older than this. */
const MAX_HEALTHY_AGE_SECONDS = 30;

export const getHealth: RpcMethod = (_params, context) => {
  const { node } = context;
  const now = Math.floor(node.options.clock.now().getTime() / 1000);
  const age = now - Number(node.latest.header.scpValue.closeTime);
  if (age > MAX_HEALTHY_AGE_SECONDS) {
    const message = `latency (${age}s) since last known ledger closed is too high (>${MAX_HEALTHY_AGE_SECONDS}s)`;
    throw new RpcError(INTERNAL_ERROR, message);
  }
  return {
    status: 'healthy',
    ...ledgerRange(context),
    ledgerRetentionWindow: node.options.retention_ledgers,
  };
};

export const getNetwork: RpcMethod = (_params, { node, friendbot_url }) => ({
  friendbotUrl: friendbot_url(),
  passphrase: node.options.passphrase,
  protocolVersion: node.latest.header.ledgerVersion,
});

export const getVersionInfo: RpcMethod = (_params, { node }) => ({
  version: `${releaseOf(node.rpcVersion)}-stellar-teller-sandbox`,
  commitHash: '',
  buildTimestamp: '',
  captiveCoreVersion: 'none: the sandbox is its own ledger',
  protocolVersion: supportedProtocol(node.rpcVersion, node.latest.header),
});

export const getLatestLedger: RpcMethod = (_params, { node }) => {
  const { latest } = node;
  const ledger = ledgerOf(node, latest.header.ledgerSeq);
  return {
    id: ledger.hash.toString('hex'),
    protocolVersion: latest.header.ledgerVersion,
    sequence: ledger.sequence,
    closeTime: ledger.close_time.toString(),
    headerXdr: base64(ledger.header),
    metadataXdr: metadataXdr(node, ledger),
  };
};

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

export const getLedgers: RpcMethod = (params, { node }) => {
  const { startLedger, pagination } = parseParams(pagedParams, params);
  const { oldest, latest } = node.range;
  const cursor = pagination?.cursor || '';
  const limit = pagination?.limit || DEFAULT_LIMIT;
  checkPage({ startLedger: startLedger || 0, cursor, limit, maxLimit: MAX_LIMIT }, node.range);

  const start = cursor === '' ? startLedger || 0 : afterCursor(cursor, node.range);
  const end = Math.min(start + limit - 1, latest);
  const ledgers = Array.from({ length: end - start + 1 }, (_, index) => ledgerOf(node, start + index));
  return {
    ledgers: ledgers.map((ledger) => ({
      hash: ledger.hash.toString('hex'),
      sequence: ledger.sequence,
      ledgerCloseTime: ledger.close_time.toString(),
      headerXdr: base64(headerHistoryEntryXdr(ledger)),
      metadataXdr: metadataXdr(node, ledger),
    })),
    latestLedger: latest,
    latestLedgerCloseTime: Number(node.latest.header.scpValue.closeTime),
    oldestLedger: oldest,
    oldestLedgerCloseTime: Number(node.oldest.close_time),
    cursor: end.toString(),
  };
};

/** The ledger after the cursor. It must have closed: stellar-rpc refuses the cursor of the latest ledger. */
function afterCursor(cursor: string, { oldest, latest }: LedgerRange): number {
  if (!/^\d+$/.test(cursor) || Number(cursor) > 0xffffffff) {
    const problem = /^\d+$/.test(cursor) ? 'value out of range' : 'invalid syntax';
    throw invalidParams(`strconv.ParseUint: parsing ${JSON.stringify(cursor)}: ${problem}`);
  }
  const start = Number(cursor) + 1;
  if (start < oldest || start > latest) {
    const range = `the oldest ledger: ${oldest} and the latest ledger: ${latest}`;
    throw invalidParams(`cursor ('${cursor}') must be between ${range} for this rpc instance`);
  }
  return start;
}

function ledgerOf(node: StellarNode, sequence: number): StoredLedger {
  const ledger = node.ledger(sequence);
  if (ledger === undefined) throw new Error(`ledger ${sequence} is in range and not in the store`);
  return ledger;
}

/** Of each node: every client asks for its newest ledger, and encoding one takes longer than the rest of the answer. */
const lastEncoded = new WeakMap<StellarNode, { hash: string; xdr: string }>();

function metadataXdr(node: StellarNode, ledger: StoredLedger): string {
  const hash = ledger.hash.toString('hex');
  const last = lastEncoded.get(node);
  if (last?.hash === hash) return last.xdr;
  const xdr = base64(ledgerCloseMetaXdr(ledger, node.transactionsOf(ledger.sequence)));
  if (ledger.sequence === node.range.latest) lastEncoded.set(node, { hash, xdr });
  return xdr;
}
