/**
 * The first reader of the ledger: from the raw XDR of a ledger (LedgerCloseMeta, CAP-67 form), which transactions it
 * applied, and what their operations and results say was paid. It shares no code with src/ or with the second reader,
 * balance-changes.ts, which reads the entries that the same transactions changed.
 */
import '../../sandbox/ledger/missing-arms.ts';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Asset, StrKey, xdr } from '@stellar/stellar-sdk/base';
import type { BalanceChange, LineChange, LineSponsor } from './balance-changes.ts';
import {
  type AppliedCredit,
  type AppliedMemo,
  address,
  addressOf,
  assetText,
  contractClawbacksIn,
  creditsIn,
  memoIn,
  muxed,
} from './credits.ts';

/** A payment, or what would have been one. */
export type AppliedPayment = {
  operation_index: number;
  /** `native` or CODE:ISSUER. */
  asset: string;
  source: string;
  destination: string;
  /** As the operation has it: G… or M…. */
  destination_address: string;
  /** The id that a transfer to a contract names (CAP-84). */
  muxed_id?: bigint | null;
  /** It makes the account of the destination. */
  creates?: boolean;
  amount_stroops: bigint;
};

/** A change of a trust line: `limit_stroops` 0 removes it. */
export type AppliedTrustLine = {
  source: string;
  asset: string;
  limit_stroops: bigint;
  /** Who pays the reserves of what the account makes at that point of the transaction; null: itself. */
  sponsor: string | null;
};

/** What an issuer took back. */
export type AppliedClawback = {
  operation_index: number;
  /** Who took it; null for a contract. */
  source: string | null;
  account: string;
  asset: string;
  amount_stroops: bigint;
};

export type AppliedTransaction = {
  ledger: number;
  /** Unix seconds. */
  close_time: bigint;
  hash: string;
  /** The same as `hash` when it was not fee-bumped. */
  inner_hash: string;
  source: string;
  fee_account: string;
  fee_stroops: bigint;
  successful: boolean;
  memo_id: bigint | null;
  memo: AppliedMemo;
  /** Unix seconds; 0 without a bound. */
  max_time: bigint;
  payments: AppliedPayment[];
  trust_lines: AppliedTrustLine[];
  clawbacks: AppliedClawback[];
  /** None when it failed. */
  credits: AppliedCredit[];
  /** By the second reader; of accounts that the caller wanted. */
  balance_changes: BalanceChange[];
  line_changes: LineChange[];
  line_sponsors: LineSponsor[];
};

/** The transaction that it says to pay back, in hex. Of those that spend from wallets, only refunds do. */
export function refundIn({ memo }: Pick<AppliedTransaction, 'memo'>): string | null {
  return memo.type === 'return' ? Buffer.from(memo.value ?? '', 'base64').toString('hex') : null;
}

type Read = Omit<AppliedTransaction, 'balance_changes' | 'line_changes' | 'line_sponsors'>;

/** @param metadata the bytes of a LedgerCloseMeta, version 2 @returns in the order of application */
export function transactionsIn(metadata: Uint8Array, passphrase: string): Read[] {
  const meta = xdr.LedgerCloseMeta.schema.decode(metadata);
  assert(meta.v === 2);
  const { ledgerHeader, txSet, txProcessing } = meta.v2;
  const { ledgerSeq: ledger, scpValue } = ledgerHeader.header;
  const network = sha256(Buffer.from(passphrase));
  const envelopes = new Map(envelopesIn(txSet).map((one) => [hashOf(one, network), one]));
  return txProcessing.map(({ result: { transactionHash, result }, txApplyProcessing }) => {
    const hash = Buffer.from(transactionHash).toString('hex');
    const envelope = envelopes.get(hash);
    assert(envelope, `ledger ${ledger} has a result for ${hash} and no envelope`);
    // Codes 0 and 1 of TransactionResultCode: txSUCCESS and txFEE_BUMP_INNER_SUCCESS.
    const successful = [0, 1].includes(result.result.code);
    const content = contentOf(envelope, network, passphrase);
    const byContracts = contractClawbacksIn(contentTransaction(envelope), txApplyProcessing);
    return {
      ledger,
      close_time: scpValue.closeTime,
      hash,
      successful,
      fee_stroops: result.feeCharged,
      ...content,
      clawbacks: [...content.clawbacks, ...byContracts.map((taken) => ({ ...taken, source: null }))],
      credits: successful ? creditsIn(contentTransaction(envelope), result, txApplyProcessing) : [],
    };
  });
}

function envelopesIn(set: xdr.GeneralizedTransactionSetWire): xdr.TransactionEnvelopeWire[] {
  return set.v1TxSet.phases.flatMap((phase) =>
    phase.v === 0
      ? phase.v0Components.flatMap(({ txsMaybeDiscountedFee }) => txsMaybeDiscountedFee.txs)
      : phase.parallelTxsComponent.executionStages.flat(2),
  );
}

/** The transaction itself, inside a fee-bump. */
function contentTransaction(envelope: xdr.TransactionEnvelopeWire): xdr.TransactionWire {
  assert(envelope.type !== 0, 'no client of these tests sends the envelopes of before protocol 13');
  return envelope.type === 2 ? envelope.v1.tx : envelope.feeBump.tx.innerTx.v1.tx;
}

function hashOf(envelope: xdr.TransactionEnvelopeWire, network: Buffer): string {
  if (envelope.type !== 5) return hashOfContent(envelope, network);
  return hashOfTagged(5, xdr.FeeBumpTransaction.schema.encode(envelope.feeBump.tx), network);
}

function hashOfContent(envelope: xdr.TransactionEnvelopeWire, network: Buffer): string {
  return hashOfTagged(2, xdr.Transaction.schema.encode(contentTransaction(envelope)), network);
}

/** TransactionSignaturePayload: the network, the type of the envelope, the transaction. */
function hashOfTagged(type: number, content: Uint8Array, network: Buffer): string {
  return sha256(Buffer.concat([network, Buffer.from([0, 0, 0, type]), content])).toString('hex');
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function contentOf(envelope: xdr.TransactionEnvelopeWire, network: Buffer, passphrase: string) {
  const transaction = contentTransaction(envelope);
  const { sourceAccount, cond, memo, operations } = transaction;
  const source = muxed(sourceAccount).account;
  const payments = operations.flatMap((operation, operation_index): AppliedPayment[] => {
    const found = [...paymentOf(operation, source), ...paymentToContract(operation, transaction, passphrase)];
    return found.map((payment) => ({ operation_index, ...payment }));
  });
  // An order's id beside a contract is a part of the contract's address, where other payments have a memo.
  const contract_id = payments.find(({ muxed_id }) => muxed_id != null)?.muxed_id ?? null;
  const named = contract_id === null ? memo : ({ type: 2, id: contract_id } as const);
  return {
    inner_hash: hashOfContent(envelope, network),
    source,
    fee_account: envelope.type === 5 ? muxed(envelope.feeBump.tx.feeSource).account : source,
    memo_id: named.type === 2 ? named.id : null,
    memo: memoIn(named),
    max_time: maxTimeOf(cond),
    payments,
    trust_lines: trustLinesOf(operations, source),
    clawbacks: operations.flatMap(({ body, sourceAccount: by }, operation_index) => {
      if (body.type !== 19) return [];
      const { asset, from, amount } = body.clawbackOp;
      const { account } = muxed(from);
      const from_issuer = by ? muxed(by).account : source;
      const taken = { account, asset: assetText(asset), amount_stroops: amount };
      return [{ operation_index, source: from_issuer, ...taken }];
    }),
  };
}

function maxTimeOf(cond: xdr.PreconditionsWire): bigint {
  if (cond.type === 1) return cond.timeBounds.maxTime;
  return cond.type === 2 ? (cond.v2.timeBounds?.maxTime ?? 0n) : 0n;
}

function paymentOf(
  { sourceAccount, body }: xdr.OperationWire,
  account: string,
): Omit<AppliedPayment, 'operation_index'>[] {
  const source = sourceAccount ? muxed(sourceAccount).account : account;
  if (body.type === 0) {
    const { destination, startingBalance } = body.createAccountOp;
    const created = address(destination.ed25519);
    const payment = { source, asset: 'native', destination: created, destination_address: created };
    return [{ ...payment, creates: true, amount_stroops: startingBalance }];
  }
  if (body.type !== 1) return [];
  const { destination, amount, asset } = body.paymentOp;
  const to = { destination: muxed(destination).account, destination_address: addressOf(destination) };
  return [{ source, asset: assetText(asset), ...to, amount_stroops: amount }];
}

const INVOKE_HOST_FUNCTION = 24;
const SC_ADDRESS = { account: 0, contract: 1 } as const;
/** MuxedContract (CAP-84), which the types of the SDK lack. */
type MuxedContract = { type: 5; muxedContract: { id: bigint; contractId: Uint8Array } };

/**
 * A transfer to a contract, by the contract of an asset. The asset is that of the written entry of the payer whose contract
 * was called: if none is, it is no asset of the service.
 */
function paymentToContract(
  { body }: xdr.OperationWire,
  { ext }: xdr.TransactionWire,
  passphrase: string,
): Omit<AppliedPayment, 'operation_index'>[] {
  if (body.type !== INVOKE_HOST_FUNCTION || ext.v !== 1) return [];
  const { hostFunction } = body.invokeHostFunctionOp;
  if (hostFunction.type !== 0) return [];
  const { contractAddress, functionName, args } = hostFunction.invokeContract;
  const [from, to, amount] = args;
  if (`${functionName}` !== 'transfer' || contractAddress.type !== SC_ADDRESS.contract) return [];
  if (from?.type !== 18 || to?.type !== 18 || amount?.type !== 10) return [];
  if (from.address.type !== SC_ADDRESS.account) return [];
  const recipient = contractIn(to.address);
  if (!recipient) return [];
  const called = StrKey.encodeContract(contractAddress.contractId);
  const source = address(from.address.accountId.ed25519);
  const destination = StrKey.encodeContract(recipient.contractId);
  const named = ext.sorobanData.resources.footprint.readWrite.flatMap((key) => {
    if (key.type === 0) return address(key.account.accountId.ed25519) === source ? ['native'] : [];
    if (key.type !== 1 || key.trustLine.asset.type === 3) return [];
    return address(key.trustLine.accountId.ed25519) === source ? [assetText(key.trustLine.asset)] : [];
  });
  const asset = named.find((name) => contractOf(name, passphrase) === called);
  if (asset === undefined) return [];
  const muxed_id = recipient.id;
  const amount_stroops = amount.i128.lo;
  return [{ source, asset, destination, destination_address: destination, muxed_id, amount_stroops }];
}

/** The contract of a plain or muxed contract address. */
function contractIn(
  to: xdr.ScAddressWire | MuxedContract,
): { contractId: Uint8Array; id: bigint | null } | null {
  if (to.type === 5) return to.muxedContract;
  return to.type === SC_ADDRESS.contract ? { contractId: to.contractId, id: null } : null;
}

function contractOf(asset: string, passphrase: string): string {
  const [code = '', issuer] = asset.split(':');
  return (issuer ? new Asset(code, issuer) : Asset.native()).contractId(passphrase);
}

const BEGIN_SPONSORING = 16;
const END_SPONSORING = 17;

/** Shares of pools are left out: nobody here has any. */
function trustLinesOf(operations: readonly xdr.OperationWire[], account: string): AppliedTrustLine[] {
  const sponsors = new Map<string, string>();
  return operations.flatMap(({ sourceAccount, body }) => {
    const source = sourceAccount ? muxed(sourceAccount).account : account;
    if (body.type === BEGIN_SPONSORING)
      sponsors.set(address(body.beginSponsoringFutureReservesOp.sponsoredId.ed25519), source);
    if (body.type === END_SPONSORING) sponsors.delete(source);
    if (body.type !== 6) return [];
    const { line, limit } = body.changeTrustOp;
    if (line.type === 3) return [];
    return [{ source, asset: assetText(line), limit_stroops: limit, sponsor: sponsors.get(source) ?? null }];
  });
}
