/** Pure: hashes and reads the envelope of any transaction on the network. */
import { hash as digest } from 'node:crypto';
import { accountOf, addressOf, muxedAddress } from '../address.ts';
import { type AssetFields, NATIVE } from '../asset.ts';
import { contractAddress } from '../contract-address.ts';
import { xdr } from '../protocol/sdk.ts';
import { LARGEST_LIMIT_STROOPS } from './build-trust-line.ts';
import { contractTransferIn } from './transfer-in.ts';

/** Computes the SHA-256 of the passphrase: it binds a signature to one network. */
export function networkId(passphrase: string): Buffer {
  if (latest?.passphrase !== passphrase)
    latest = { passphrase, id: digest('sha256', Buffer.from(passphrase), 'buffer') };
  return latest.id;
}

/** Cached: a process has one network, and needs the id for every transaction of every ledger. */
let latest: { passphrase: string; id: Buffer } | null = null;

/** Computes the SHA-256 over network id, envelope type and transaction: the signed hash, and the transaction's id in the ledger. */
export function transactionHash(passphrase: string, transaction: xdr.Transaction): Buffer {
  return payloadHash(
    passphrase,
    xdr.TransactionSignaturePayloadTaggedTransaction.envelopeTypeTx(transaction),
  );
}

function payloadHash(passphrase: string, tagged: xdr.TransactionSignaturePayloadTaggedTransaction): Buffer {
  const payload = new xdr.TransactionSignaturePayload({
    networkId: networkId(passphrase),
    taggedTransaction: tagged,
  });
  return digest('sha256', payload.toXdr(), 'buffer');
}

/**
 * Computes the hashes of a signed envelope. `hash`: its id in the ledger. `inner_hash`: that of the transaction inside a fee-bump;
 * without a fee-bump the same. A version 0 envelope is hashed in its version 1 form (CAP-15).
 */
export function envelopeHashes(
  passphrase: string,
  envelope: xdr.TransactionEnvelope,
): { hash: string; inner_hash: string } {
  const inner = innerTransaction(envelope);
  const inner_hash = transactionHash(passphrase, inner).toString('hex');
  if (envelope.type !== 'envelopeTypeTxFeeBump') return { hash: inner_hash, inner_hash };
  const tagged = xdr.TransactionSignaturePayloadTaggedTransaction.envelopeTypeTxFeeBump(envelope.feeBump.tx);
  return { hash: payloadHash(passphrase, tagged).toString('hex'), inner_hash };
}

/** Computes the hash (hex) of the transaction inside a fee-bump, or of the transaction itself; null for an envelope that does not decode. */
export function innerHashIn(passphrase: string, envelope: Uint8Array): string | null {
  const decoded = envelopeIn(envelope);
  return decoded && envelopeHashes(passphrase, decoded).inner_hash;
}

function envelopeIn(bytes: Uint8Array): xdr.TransactionEnvelope | null {
  try {
    return xdr.TransactionEnvelope.fromXdr(bytes);
  } catch {
    return null; // of a later protocol
  }
}

const TX_V0 = 0;
/** The envelope type and key type that version 0 omits (CAP-15). */
const V1_PREFIX = Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]);

/** Computes the hash (hex) of an envelope whose signatures begin at `signed_end`: the bytes before are the signed part. */
export function envelopeHash(passphrase: string, envelope: Buffer, signed_end: number): string {
  const { prefix, from } = signedPrefix(passphrase, envelope);
  return digest('sha256', Buffer.concat([prefix, envelope.subarray(from, signed_end)]), 'hex');
}

/** Returns what is hashed before the bytes of an envelope, and where those bytes begin. */
export function signedPrefix(passphrase: string, envelope: Buffer): { prefix: Buffer; from: number } {
  const network_id = networkId(passphrase);
  return envelope.readUInt32BE(0) === TX_V0
    ? { prefix: Buffer.concat([network_id, V1_PREFIX]), from: 4 }
    : { prefix: network_id, from: 0 };
}

const [MAX_SIGNATURES, MAX_SIGNATURE_BYTES] = [20, 64];

/**
 * Returns the end of a list of signatures (DecoratedSignature) that begins at `at`; null without a list. Padding that is not zero
 * makes none: only a source that lies could add it, to make a payment of ours look like one of a later protocol.
 */
export function signaturesEnd(bytes: Buffer, at: number): number | null {
  if (at + 4 > bytes.length) return null;
  const count = bytes.readUInt32BE(at);
  if (count > MAX_SIGNATURES) return null;
  let end = at + 4;
  for (let left = count; left > 0; left--) {
    if (end + 8 > bytes.length) return null;
    const length = bytes.readUInt32BE(end + 4); // behind the hint
    if (length > MAX_SIGNATURE_BYTES) return null;
    const [signed, padded] = [end + 8 + length, end + 8 + ((length + 3) & ~3)];
    if (padded > bytes.length || bytes.subarray(signed, padded).some((byte) => byte !== 0)) return null;
    end = padded;
  }
  return end;
}

/** Returns the transaction that has the operations and the memo. */
export function innerTransaction(envelope: xdr.TransactionEnvelope): xdr.Transaction {
  switch (envelope.type) {
    case 'envelopeTypeTx':
      return envelope.v1.tx;
    case 'envelopeTypeTxFeeBump':
      return envelope.feeBump.tx.innerTx.v1.tx;
    case 'envelopeTypeTxV0':
      return fromVersion0(envelope.v0.tx);
  }
}

function fromVersion0(v0: xdr.TransactionV0): xdr.Transaction {
  return new xdr.Transaction({
    sourceAccount: xdr.MuxedAccount.keyTypeEd25519(v0.sourceAccountEd25519.value),
    fee: v0.fee,
    seqNum: v0.seqNum,
    cond: v0.timeBounds ? xdr.Preconditions.precondTime(v0.timeBounds) : xdr.Preconditions.precondNone(),
    memo: v0.memo,
    operations: v0.operations,
    ext: xdr.TransactionExt.v0(),
  });
}

/**
 * Returns the G… of the operations that have a source of their own. `envelope`: XDR. Nothing for an envelope that does not decode: a stranger
 * makes those of a later protocol, with a value that an enum does not have, and what we sign decodes.
 */
export function operationSourcesIn(envelope: Uint8Array): string[] {
  const decoded = envelopeIn(envelope);
  const operations = decoded ? innerTransaction(decoded).operations : [];
  return operations.flatMap(({ sourceAccount }) => (sourceAccount ? [addressOf(sourceAccount).account] : []));
}

/** Reads `timeBounds.minTime` in Unix seconds; null without time bounds. `envelope_xdr`: base64. */
export function minTimeIn(envelope_xdr: string): bigint | null {
  const { cond } = innerTransaction(xdr.TransactionEnvelope.fromXdr(envelope_xdr, 'base64'));
  const bounds =
    cond.type === 'precondTime' ? cond.timeBounds : cond.type === 'precondV2' ? cond.v2.timeBounds : null;
  return bounds ? bounds.minTime : null;
}

/** `destination`: G… or M…, of a contract transfer C… or W…. `memo_return`: a hash in hex. */
export type Payment = AssetFields & {
  operation: 'payment' | 'create_account' | 'asset_payment' | 'contract_transfer';
  destination: string;
  amount_stroops: bigint;
  memo_id: bigint | null;
  memo_return: string | null;
};

/** Reads the payment of a transaction in the form of a withdrawal; null for any other form. `envelope_xdr`: base64. */
export function paymentIn(passphrase: string, envelope_xdr: string): Payment | null {
  const transaction = innerTransaction(xdr.TransactionEnvelope.fromXdr(envelope_xdr, 'base64'));
  const { operations, memo } = transaction;
  const body = operations.length === 1 ? operations[0]?.body : undefined;
  if (memo.type === 'memoText' || memo.type === 'memoHash') return null;
  const memo_id = memo.type === 'memoId' ? memo.id : null;
  const memo_return = memo.type === 'memoReturn' ? Buffer.from(memo.retHash.value).toString('hex') : null;
  const rest = { memo_id, memo_return };
  if (body?.type === 'createAccount') {
    const { destination, startingBalance } = body.createAccountOp;
    const account = accountOf(destination.ed25519.value);
    return {
      operation: 'create_account',
      ...NATIVE,
      destination: account,
      amount_stroops: startingBalance,
      ...rest,
    };
  }
  if (body?.type === 'invokeHostFunction') {
    const transfer = contractTransferIn(passphrase, transaction);
    if (!transfer) return null;
    const { asset: of, to: contract, to_muxed_id: muxed_id, amount_stroops } = transfer;
    const destination = contractAddress({ contract, muxed_id });
    const asset = of ? { asset_code: of.code, asset_issuer: of.issuer } : NATIVE;
    return { operation: 'contract_transfer', ...asset, destination, amount_stroops, ...rest };
  }
  if (body?.type !== 'payment') return null;
  const asset = assetOf(body.paymentOp.asset);
  const { account, muxed_id } = addressOf(body.paymentOp.destination);
  const destination = muxed_id === null ? account : muxedAddress(account, muxed_id);
  const operation = asset.asset_issuer === null ? 'payment' : 'asset_payment';
  return { operation, ...asset, destination, amount_stroops: body.paymentOp.amount, ...rest };
}

function assetOf(asset: xdr.Asset | IssuedLine): AssetFields {
  if (asset.type === 'assetTypeNative') return NATIVE;
  const { assetCode, issuer } =
    asset.type === 'assetTypeCreditAlphanum4' ? asset.alphaNum4 : asset.alphaNum12;
  const asset_code = Buffer.from(assetCode.value).toString('latin1').replace(/\0+$/, '');
  return { asset_code, asset_issuer: accountOf(issuer.ed25519.value) };
}

type IssuedLine = Extract<xdr.ChangeTrustAsset, { type: `assetTypeCredit${string}` }>;

export type TrustLineChange = AssetFields & { operation: 'add_trust_line' | 'remove_trust_line' };

/**
 * Reads the change of a trust line in a transaction of our form: change_trust without memo, with the largest limit or none, alone
 * or with its reserve sponsored; null for any other. `envelope_xdr`: base64.
 */
export function trustLineIn(envelope_xdr: string): TrustLineChange | null {
  const transaction = innerTransaction(xdr.TransactionEnvelope.fromXdr(envelope_xdr, 'base64'));
  const { operations, memo } = transaction;
  const isSponsored = operations.length === 3 && sponsorsOneChange(transaction);
  const body = (operations.length === 1 ? operations[0] : isSponsored ? operations[1] : undefined)?.body;
  if (body?.type !== 'changeTrust' || memo.type !== 'memoNone') return null;
  const { line, limit } = body.changeTrustOp;
  if (line.type !== 'assetTypeCreditAlphanum4' && line.type !== 'assetTypeCreditAlphanum12') return null;
  if (limit === LARGEST_LIMIT_STROOPS) return { operation: 'add_trust_line', ...assetOf(line) };
  return limit === 0n && !isSponsored ? { operation: 'remove_trust_line', ...assetOf(line) } : null;
}

/** Returns true when the operation between begin and end of a sponsorship is that of the sponsored account, which ends it. */
function sponsorsOneChange({ sourceAccount, operations }: xdr.Transaction): boolean {
  const [begin, change, end] = operations;
  if (begin?.body.type !== 'beginSponsoringFutureReserves') return false;
  if (end?.body.type !== 'endSponsoringFutureReserves') return false;
  const sponsored = accountOf(begin.body.beginSponsoringFutureReservesOp.sponsoredId.ed25519.value);
  const sourceOf = (operation: xdr.Operation | undefined) =>
    addressOf(operation?.sourceAccount ?? sourceAccount).account;
  return sourceOf(change) === sponsored && sourceOf(end) === sponsored;
}

/** Counts the operations of the transaction, without a fee-bump around it. `envelope_xdr`: base64. */
export function operationCountIn(envelope_xdr: string): bigint {
  return BigInt(innerTransaction(xdr.TransactionEnvelope.fromXdr(envelope_xdr, 'base64')).operations.length);
}
