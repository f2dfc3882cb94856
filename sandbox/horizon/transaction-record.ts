import type { xdr } from '@stellar/stellar-sdk/base';
import { base64, hex } from '../ledger/bytes.ts';
import { timeText } from '../time-text.ts';
import { accountFields, signerAddress } from './addresses.ts';
import type { AppliedTransaction } from './applied-transaction.ts';
import { innerEnvelope } from './applied-transaction.ts';
import type { Links } from './links.ts';
import { toid } from './toid.ts';

/** Horizon's transaction resource (protocols/horizon, Transaction), under the hash of the request. */
export function transactionRecord(applied: AppliedTransaction, links: Links) {
  const { row, hash } = applied;
  const { tx } = innerEnvelope(applied);
  const source = accountFields('account', tx.sourceAccount);
  const pagingToken = `${toid(row.ledger, row.application_order)}`;
  return {
    ...memoText(tx.memo),
    _links: transactionLinks(links, { hash, account: source.account, ledger: row.ledger, pagingToken }),
    id: hash,
    paging_token: pagingToken,
    successful: row.successful === 1,
    hash,
    ledger: row.ledger,
    created_at: timeText(row.close_time),
    source_account: source.account,
    account_muxed: source.account_muxed,
    account_muxed_id: source.account_muxed_id,
    source_account_sequence: `${tx.seqNum}`,
    ...accountFields('fee_account', feeSource(applied)),
    fee_charged: `${row.fee_charged}`,
    max_fee: `${row.max_fee}`,
    operation_count: tx.operations.length,
    envelope_xdr: base64(row.envelope),
    result_xdr: base64(row.result),
    result_meta_xdr: base64(row.meta),
    fee_meta_xdr: base64(row.fee_changes),
    memo_type: MEMO_TYPES[tx.memo.type],
    ...signatureFields(applied),
  };
}

type Place = { hash: string; account: string; ledger: number; pagingToken: string };

function transactionLinks(links: Links, { hash, account, ledger, pagingToken }: Place) {
  const self = `/transactions/${hash}`;
  return {
    self: links.to(self),
    account: links.to(`/accounts/${account}`),
    ledger: links.to(`/ledgers/${ledger}`),
    operations: links.paged(`${self}/operations`),
    effects: links.paged(`${self}/effects`),
    precedes: links.to(`/transactions?order=asc&cursor=${pagingToken}`),
    succeeds: links.to(`/transactions?order=desc&cursor=${pagingToken}`),
    transaction: links.to(self),
  };
}

const MEMO_TYPES = ['none', 'text', 'id', 'hash', 'return'] as const;

function memoText(memo: xdr.MemoWire): { memo?: string; memo_bytes?: string } {
  switch (memo.type) {
    case 0:
      return {};
    case 1:
      return { memo: scrubbed(memo.text.bytes), memo_bytes: base64(memo.text.bytes) };
    case 2:
      return { memo: `${memo.id}` };
    case 3:
      return { memo: base64(memo.hash) };
    case 4:
      return { memo: base64(memo.retHash) };
  }
}

/** Text as Horizon's database stores it: bytes that are not UTF-8 become U+FFFD, and zero bytes are left out. */
function scrubbed(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8').replaceAll('\0', '');
}

function feeSource({ envelope }: AppliedTransaction): xdr.MuxedAccountWire {
  if (envelope.type === 5) return envelope.feeBump.tx.feeSource;
  if (envelope.type === 2) return envelope.v1.tx.sourceAccount;
  return { type: 0, ed25519: envelope.v0.tx.sourceAccountEd25519 };
}

/** Signatures, conditions and, of a fee-bump, both transactions' hashes. */
function signatureFields(applied: AppliedTransaction) {
  const { envelope, row, hash } = applied;
  const inner = innerEnvelope(applied);
  const innerSignatures = signatureTexts(inner.signatures);
  const preconditions = preconditionFields(inner.tx.cond);
  if (envelope.type !== 5 || row.inner_hash === null) return { signatures: innerSignatures, preconditions };
  const outer = { hash: hex(row.hash), signatures: signatureTexts(envelope.feeBump.signatures) };
  return {
    signatures: hash === outer.hash ? outer.signatures : innerSignatures,
    preconditions,
    fee_bump_transaction: outer,
    inner_transaction: {
      hash: hex(row.inner_hash),
      signatures: innerSignatures,
      max_fee: `${inner.tx.fee}`,
    },
  };
}

function signatureTexts(signatures: xdr.DecoratedSignatureWire[]): string[] {
  return signatures.map(({ signature }) => base64(signature));
}

/** Absent without any precondition. Parts without a condition are absent too. */
function preconditionFields(cond: xdr.PreconditionsWire): Record<string, unknown> | undefined {
  if (cond.type === 0) return undefined;
  if (cond.type === 1) return { timebounds: timeBoundFields(cond.timeBounds) };
  const { timeBounds, ledgerBounds, minSeqNum, minSeqAge, minSeqLedgerGap, extraSigners } = cond.v2;
  const fields = {
    ...(timeBounds === null ? {} : { timebounds: timeBoundFields(timeBounds) }),
    ...(ledgerBounds === null ? {} : { ledgerbounds: ledgerBoundFields(ledgerBounds) }),
    ...(minSeqNum === null ? {} : { min_account_sequence: `${minSeqNum}` }),
    ...(minSeqAge === 0n ? {} : { min_account_sequence_age: `${minSeqAge}` }),
    ...(minSeqLedgerGap === 0 ? {} : { min_account_sequence_ledger_gap: minSeqLedgerGap }),
    ...(extraSigners.length === 0 ? {} : { extra_signers: extraSigners.map(signerAddress) }),
  };
  return Object.keys(fields).length === 0 ? undefined : fields;
}

function timeBoundFields({ minTime, maxTime }: xdr.TimeBoundsWire) {
  return { min_time: `${minTime}`, ...(maxTime === 0n ? {} : { max_time: `${maxTime}` }) };
}

function ledgerBoundFields({ minLedger, maxLedger }: xdr.LedgerBoundsWire) {
  return { min_ledger: minLedger, ...(maxLedger === 0 ? {} : { max_ledger: maxLedger }) };
}
