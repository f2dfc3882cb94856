import { xdr } from '@stellar/stellar-sdk/base';

/**
 * How long the transaction of a call may become: a simulation knows the operation and its resources, and nothing of
 * accounts, preconditions and signatures. So each has its longest form (soroban-simulation, resources.rs).
 */

const MOST_SIGNATURES = 20;

const KEY = new Uint8Array(32);
const SIGNATURE = new Uint8Array(64);
const ACCOUNT: xdr.MuxedAccountWire = { type: 256, med25519: { id: 0n, ed25519: KEY } };
const SIGNER: xdr.SignerKeyWire = { type: 3, ed25519SignedPayload: { ed25519: KEY, payload: SIGNATURE } };
const PRECONDITIONS: xdr.PreconditionsWire = {
  type: 2,
  v2: {
    timeBounds: { minTime: 0n, maxTime: 0n },
    ledgerBounds: { minLedger: 0, maxLedger: 0 },
    minSeqNum: 0n,
    minSeqAge: 0n,
    minSeqLedgerGap: 0,
    extraSigners: [SIGNER, SIGNER],
  },
};

export function largestEnvelopeBytes(
  invokeHostFunctionOp: xdr.InvokeHostFunctionOpWire,
  sorobanData: xdr.SorobanTransactionDataWire,
): number {
  const tx: xdr.TransactionWire = {
    sourceAccount: ACCOUNT,
    fee: 0,
    seqNum: 0n,
    cond: PRECONDITIONS,
    memo: { type: 3, hash: KEY },
    operations: [{ sourceAccount: ACCOUNT, body: { type: 24, invokeHostFunctionOp } }],
    ext: { v: 1, sorobanData },
  };
  const signatures = Array.from({ length: MOST_SIGNATURES }, () => ({
    hint: new Uint8Array(4),
    signature: SIGNATURE,
  }));
  return xdr.TransactionEnvelope.schema.encode({ type: 2, v1: { tx, signatures } }).length;
}
