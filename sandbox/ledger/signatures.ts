import type { xdr } from '@stellar/stellar-sdk/base';
import { thresholdOf } from './account.ts';
import { sameBytes, sha256 } from './bytes.ts';
import { verifySignature } from './ed25519.ts';
import type { Account } from './entry.ts';

type Signature = xdr.DecoratedSignatureWire;
type AccountSigner = xdr.SignerWire;

/** Weights count up to 255 (stellar-core, SignatureChecker.cpp, since protocol 10). */
const MAX_WEIGHT = 255;

/**
 * The signatures of one transaction, and which of them were needed (stellar-core, SignatureChecker.cpp). An
 * unneeded signature makes the transaction invalid: txBAD_AUTH_EXTRA.
 */
export class SignatureChecker {
  readonly #hash: Uint8Array;
  readonly #signatures: Signature[];
  readonly #used: boolean[];

  constructor(hash: Uint8Array, signatures: Signature[]) {
    this.#hash = hash;
    this.#signatures = signatures;
    this.#used = signatures.map(() => false);
  }

  /**
   * Whether the weights of the master key and signers that signed reach `threshold`. With threshold 0, at least one
   * must have signed.
   */
  accountSigned(account: Account, threshold: number): boolean {
    const masterWeight = thresholdOf(account, 0);
    const master: AccountSigner = {
      key: { type: 0, ed25519: account.accountId.ed25519 },
      weight: masterWeight,
    };
    return this.#reaches(masterWeight > 0 ? [master, ...account.signers] : account.signers, threshold);
  }

  /** For an account that does not exist yet: its own key must have signed. */
  keySigned(ed25519: Uint8Array): boolean {
    return this.#reaches([{ key: { type: 0, ed25519 }, weight: 1 }], 0);
  }

  /** Every extra signer of CAP-21 must have signed. */
  allSigned(keys: xdr.SignerKeyWire[]): boolean {
    return this.#reaches(
      keys.map((key) => ({ key, weight: 1 })),
      keys.length,
    );
  }

  everySignatureUsed(): boolean {
    return this.#used.every(Boolean);
  }

  #reaches(signers: AccountSigner[], threshold: number): boolean {
    let weight = 0;
    const add = (signer: AccountSigner) => {
      weight += Math.min(signer.weight, MAX_WEIGHT);
      return weight >= threshold;
    };
    for (const signer of signers) {
      if (signer.key.type === 1 && sameBytes(signer.key.preAuthTx, this.#hash) && add(signer)) return true;
    }
    // Kinds in stellar-core's order, which decides the signatures that count as used.
    for (const kind of [2, 0, 3] as const) {
      const left = signers.filter((signer) => signer.key.type === kind);
      for (const [index, signature] of this.#signatures.entries()) {
        const at = left.findIndex((signer) => matches(signature, signer.key, this.#hash));
        const signer = left[at];
        if (signer === undefined) continue;
        this.#used[index] = true;
        if (add(signer)) return true;
        left.splice(at, 1);
      }
    }
    return false;
  }
}

function matches({ hint, signature }: Signature, key: xdr.SignerKeyWire, hash: Uint8Array): boolean {
  if (key.type === 0) return endsWith(key.ed25519, hint) && verifySignature(signature, hash, key.ed25519);
  if (key.type === 2) return endsWith(key.hashX, hint) && sameBytes(sha256(signature), key.hashX);
  if (key.type === 3) {
    const { ed25519, payload } = key.ed25519SignedPayload;
    return sameBytes(payloadHint(ed25519, payload), hint) && verifySignature(signature, payload, ed25519);
  }
  return false;
}

function endsWith(bytes: Uint8Array, hint: Uint8Array): boolean {
  return sameBytes(bytes.subarray(bytes.length - 4), hint);
}

/** CAP-40: last four bytes of the key xor last four bytes of the payload. A shorter payload is filled with zeros. */
function payloadHint(ed25519: Uint8Array, payload: Uint8Array): Uint8Array {
  const tail = new Uint8Array(4);
  tail.set(payload.subarray(Math.max(0, payload.length - 4)));
  return tail.map((byte, index) => byte ^ (ed25519[28 + index] ?? 0));
}
