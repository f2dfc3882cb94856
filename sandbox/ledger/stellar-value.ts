/** The part of a header on which validators agree: transaction set, close time, upgrades (StellarValue). */
import { xdr } from '@stellar/stellar-sdk/base';
import type { Header } from './account.ts';
import { signMessage } from './ed25519.ts';
import { publicKey } from './entry.ts';
import { closeTimeMsOf } from './missing-arms.ts';
import { MILLISECONDS_PROTOCOL } from './protocols.ts';
import { int64, uint32 } from './wire.ts';

type Signature = xdr.LedgerCloseValueSignatureWire;

/** Signs for the node that is the whole network. `time`: seconds or milliseconds, as the header has it. */
export type ValueSigner = (txSetHash: Uint8Array, time: bigint) => Signature;

export type AgreedValue = {
  txSetHash: Uint8Array;
  /** Unix milliseconds. Headers of protocols below 30 have the whole seconds. */
  closeTimeMs: bigint;
  /** Encoded LedgerUpgrades. */
  upgrades: Uint8Array[];
  /** Whether the network dropped the transaction set (CAP-83). Its ledger has no transactions. */
  dropped: boolean;
};

/** Returns the value of the ledger after `previous`. The protocol of the ledger before decides on the arm. */
export function stellarValue(
  previous: { header: Header; hash: Uint8Array },
  { txSetHash, closeTimeMs, upgrades, dropped }: AgreedValue,
  sign: ValueSigner,
): Header['scpValue'] {
  const previousLedgerVersion = previous.header.ledgerVersion;
  const inMilliseconds = previousLedgerVersion >= MILLISECONDS_PROTOCOL;
  const closeTime = closeTimeMs / 1000n;
  const lcValueSignature = sign(txSetHash, inMilliseconds ? closeTimeMs : closeTime);
  const value = { txSetHash: dropped ? NO_SET : txSetHash, closeTime, upgrades };
  const proposal = { txSetHash, previousLedgerHash: previous.hash, previousLedgerVersion, lcValueSignature };
  if (!inMilliseconds) {
    return { ...value, ext: dropped ? { v: 2, proposedValue: proposal } : { v: 1, lcValueSignature } };
  }
  const arm: AddedArm = dropped
    ? { v: 4, proposedMsValue: { closeTimeMs, ...proposal } }
    : { v: 3, signedMsValue: { closeTimeMs, lcValueSignature } };
  // The types of the SDK lack the arms of missing-arms.ts.
  return { ...value, ext: arm as unknown as xdr.StellarValueExtWire };
}

const NO_SET = new Uint8Array(32);

type Milliseconds = { closeTimeMs: bigint };
type AddedArm =
  | { v: 3; signedMsValue: Milliseconds & { lcValueSignature: Signature } }
  | { v: 4; proposedMsValue: Milliseconds & xdr.StellarValueProposedValueWire };

/** Close time of a header in unix milliseconds; whole seconds where the header has no milliseconds. */
export function closeTimeMs({ scpValue: { ext, closeTime } }: Header): bigint {
  return closeTimeMsOf(xdr.StellarValueExt.fromXdrObject(ext)) ?? closeTime * 1000n;
}

const ENVELOPE_TYPE_SCPVALUE = 4;

/** @param secretKey libsodium's: seed and public key */
export function valueSigner(
  networkId: Uint8Array,
  keys: { publicKey: Uint8Array; secretKey: Uint8Array },
): ValueSigner {
  const nodeId = publicKey(keys.publicKey);
  return (txSetHash, time) => {
    const message = Buffer.concat([networkId, uint32(ENVELOPE_TYPE_SCPVALUE), txSetHash, int64(time)]);
    return { nodeId, signature: signMessage(message, keys.secretKey) };
  };
}
