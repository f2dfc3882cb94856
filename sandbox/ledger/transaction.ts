import { xdr } from '@stellar/stellar-sdk/base';
import { sha256 } from './bytes.ts';
import { MUXED_CONTRACT_PROTOCOL, namesUnknownAddress } from './muxed-contract.ts';

/** A decoded transaction, plain or fee-bump. Account ids are raw 32-byte ed25519 keys. */
export type Transaction = {
  envelope: xdr.TransactionEnvelopeWire;
  envelopeXdr: Buffer;
  /** The public hash of the transaction: over its content without signatures. */
  hash: Buffer;
  /** Hash of the envelope with its signatures. Queue and order of application use it. */
  fullHash: Buffer;
  signatures: xdr.DecoratedSignatureWire[];
  /** The content that is applied: of a fee-bump the inner transaction's. */
  tx: xdr.TransactionWire;
  source: Uint8Array;
  feeSource: Uint8Array;
  /** The most that it offers to pay, in stroops. */
  feeBid: bigint;
  /** For fees: a fee-bump counts as one operation more than its inner transaction (CAP-15). */
  operationCount: number;
  /** The resources that a contract transaction declares (of a fee-bump, its inner transaction), else null. */
  soroban: xdr.SorobanTransactionDataWire | null;
  inner: Transaction | null;
};

export type ContractTransaction = Transaction & { soroban: xdr.SorobanTransactionDataWire };

/** Contract transactions have their own phase of the ledger and their own fees. */
export function isContractTransaction(tx: Transaction): tx is ContractTransaction {
  return tx.soroban !== null;
}

const TYPE_TX = Buffer.from([0, 0, 0, 2]);
const KEY_TYPE_ED25519 = Buffer.alloc(4);
const INVOKE_HOST_FUNCTION = 24;

export function networkId(passphrase: string): Buffer {
  return sha256(Buffer.from(passphrase));
}

export function ed25519Of(account: xdr.MuxedAccountWire): Uint8Array {
  return account.type === 0 ? account.ed25519 : account.med25519.ed25519;
}

/**
 * Decodes an envelope. A V0 envelope becomes the V1 envelope with the same hash, as in stellar-core
 * (txbridge::convertForV13).
 * @throws XdrError when the bytes are not a TransactionEnvelope
 */
export function parseTransaction(xdrBytes: Uint8Array, network: Buffer): Transaction {
  const envelope = xdr.TransactionEnvelope.schema.decode(xdrBytes);
  if (envelope.type === 2) return plainTransaction(envelope, Buffer.from(xdrBytes), network);
  if (envelope.type === 5) return feeBump(envelope, Buffer.from(xdrBytes), network);
  return parseTransaction(Buffer.concat([TYPE_TX, KEY_TYPE_ED25519, xdrBytes.subarray(4)]), network);
}

function plainTransaction(
  envelope: Extract<xdr.TransactionEnvelopeWire, { type: 2 }>,
  envelopeXdr: Buffer,
  network: Buffer,
): Transaction {
  const { tx, signatures } = envelope.v1;
  const source = ed25519Of(tx.sourceAccount);
  return {
    envelope,
    envelopeXdr,
    signatures,
    tx,
    source,
    hash: sha256(network, unsigned(envelopeXdr, signatures)),
    fullHash: sha256(envelopeXdr),
    feeSource: source,
    feeBid: BigInt(tx.fee),
    operationCount: tx.operations.length,
    soroban: tx.ext.v === 1 ? tx.ext.sorobanData : null,
    inner: null,
  };
}

function feeBump(
  envelope: Extract<xdr.TransactionEnvelopeWire, { type: 5 }>,
  envelopeXdr: Buffer,
  network: Buffer,
): Transaction {
  const { tx: outer, signatures } = envelope.feeBump;
  const content = unsigned(envelopeXdr, signatures);
  const sourceLength = outer.feeSource.type === 0 ? 36 : 44;
  // type (4), fee source, fee (8), then the inner envelope up to the extension point (4)
  const innerXdr = content.subarray(4 + sourceLength + 8, content.length - 4);
  const inner = plainTransaction(outer.innerTx, innerXdr, network);
  return {
    envelope,
    envelopeXdr,
    signatures,
    inner,
    tx: inner.tx,
    source: inner.source,
    hash: sha256(network, content),
    fullHash: sha256(envelopeXdr),
    feeSource: ed25519Of(outer.feeSource),
    feeBid: outer.fee,
    operationCount: inner.operationCount + 1,
    soroban: inner.soroban,
  };
}

/**
 * The bytes of the envelope before its signatures. The hash of a transaction covers network id, envelope type and
 * content. Type and content are the start of the envelope, so nothing is encoded again.
 */
function unsigned(envelopeXdr: Buffer, signatures: xdr.DecoratedSignatureWire[]): Buffer {
  let length = 4;
  for (const { signature } of signatures) length += 8 + Math.ceil(signature.length / 4) * 4;
  return envelopeXdr.subarray(0, envelopeXdr.length - length);
}

/** The envelope has XDR of a later protocol, which no node of this network can read. Its message says which. */
class LaterProtocol extends xdr.XdrError {
  readonly needs_protocol = MUXED_CONTRACT_PROTOCOL;
}

/**
 * The reason, when only the protocol of the network is in the way. `instanceof` holds for every XdrError, because the
 * SDK decides it by name.
 */
export function laterProtocol(error: xdr.XdrError): string | undefined {
  return 'needs_protocol' in error ? error.message : undefined;
}

/**
 * Refuses what a core of this protocol cannot read, though the types of the newest protocol can.
 * @throws LaterProtocol
 */
export function mustBeKnownAt(protocol: number, { tx }: Transaction): void {
  const contract = tx.operations.filter(({ body }) => body.type === INVOKE_HOST_FUNCTION);
  if (namesUnknownAddress(tx.ext, protocol) || namesUnknownAddress(contract, protocol)) {
    throw new LaterProtocol(
      `a muxed contract address (W…) needs protocol ${MUXED_CONTRACT_PROTOCOL}, and the network is at protocol ${protocol}`,
    );
  }
}

export function timeBoundsOf(tx: xdr.TransactionWire): xdr.TimeBoundsWire | null {
  if (tx.cond.type === 0) return null;
  return tx.cond.type === 1 ? tx.cond.timeBounds : tx.cond.v2.timeBounds;
}

export function preconditionsOf(tx: xdr.TransactionWire): xdr.PreconditionsV2Wire | null {
  return tx.cond.type === 2 ? tx.cond.v2 : null;
}
