import { thresholdOf } from '../account.ts';
import { sameBytes } from '../bytes.ts';
import { verifySignature } from '../ed25519.ts';
import type { Account } from '../entry.ts';
import type { ScVal } from '../sc-val.ts';
import { bytesOf, fieldsOf } from '../sc-val.ts';
import type { ContractStorage } from './contract-storage.ts';
import { HostError } from './host-error.ts';

const MAX_SIGNATURES = 20;
const MEDIUM = 2;

/**
 * Checks an account's signatures of a contract call: a vector of {public_key, signature}, sorted by key, whose
 * weights reach the medium threshold (soroban-env-host, account_contract.rs). Only ed25519 signers can sign here.
 * @throws HostError when they do not
 */
export function checkAccountSignatures(
  storage: ContractStorage,
  ed25519: Uint8Array,
  payload: Uint8Array,
  signature: ScVal,
): void {
  const signatures = signature.type === 16 ? (signature.vec ?? []) : [];
  if (signatures.length === 0 || signatures.length > MAX_SIGNATURES) {
    throw notAuthenticated('no account signatures found, or too many');
  }
  const account = storage.account(ed25519);
  if (account === undefined) throw notAuthenticated('account entry is missing');
  let weight = 0;
  let previous: Uint8Array | undefined;
  for (const value of signatures) {
    const key = signingKey(value, payload);
    if (previous !== undefined && Buffer.compare(previous, key) >= 0) {
      throw notAuthenticated('public keys are not ordered');
    }
    const own = weightOf(account, key);
    if (own === 0) throw notAuthenticated('signer does not belong to account');
    weight += own;
    previous = key;
  }
  if (weight < thresholdOf(account, MEDIUM)) {
    throw notAuthenticated('signature weight is lower than threshold');
  }
}

/** The signer of this signature, after verifying it. */
function signingKey(value: ScVal, payload: Uint8Array): Uint8Array {
  const fields = fieldsOf(value, 'public_key', 'signature');
  const key = fields && bytesOf(fields.public_key, 32);
  const signature = fields && bytesOf(fields.signature, 64);
  if (key === undefined || signature === undefined || !verifySignature(signature, payload, key)) {
    throw notAuthenticated('failed ED25519 verification');
  }
  return key;
}

function weightOf(account: Account, key: Uint8Array): number {
  if (sameBytes(account.accountId.ed25519, key)) return thresholdOf(account, 0);
  const signer = account.signers.find((one) => one.key.type === 0 && sameBytes(one.key.ed25519, key));
  return Math.min(signer?.weight ?? 0, 255);
}

export function notAuthenticated(detail: string): HostError {
  return HostError.ofHost('Auth', 'InvalidAction', `failed account authentication: ${detail}`);
}
