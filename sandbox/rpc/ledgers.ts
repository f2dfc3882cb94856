import { base64 } from '../ledger/bytes.ts';
import { encodeHeader } from '../ledger/close.ts';
import type { RpcMethod } from './context.ts';
import { ledgerRange } from './context.ts';
import { INTERNAL_ERROR, RpcError } from './errors.ts';
import { ledgerCloseMetaXdr } from './ledger-close-meta.ts';

/** stellar-rpc calls itself unhealthy when its newest ledger is older than this. */
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
  version: 'stellar-teller-sandbox',
  commitHash: '',
  buildTimestamp: '',
  captiveCoreVersion: 'none: the sandbox is its own ledger',
  protocolVersion: node.latest.header.ledgerVersion,
});

export const getLatestLedger: RpcMethod = (_params, { node }) => {
  const { header, hash } = node.latest;
  const headerXdr = encodeHeader(header);
  const sequence = header.ledgerSeq;
  const ledger = {
    sequence,
    hash: Buffer.from(hash),
    close_time: header.scpValue.closeTime,
    header: headerXdr,
  };
  const transactions = node.transactionsFrom(sequence, 0, header.maxTxSetSize);
  return {
    id: ledger.hash.toString('hex'),
    protocolVersion: header.ledgerVersion,
    sequence,
    closeTime: header.scpValue.closeTime.toString(),
    headerXdr: base64(headerXdr),
    metadataXdr: base64(ledgerCloseMetaXdr(ledger, header.baseFee, transactions)),
  };
};
