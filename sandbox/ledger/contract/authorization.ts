import { xdr } from '@stellar/stellar-sdk/base';
import { sameBytes, sha256 } from '../bytes.ts';
import type { ScAddress, ScVal } from '../sc-val.ts';
import { accountAddress, sameAddress, VOID } from '../sc-val.ts';
import { checkAccountSignatures } from './account-signatures.ts';
import type { ContractStorage } from './contract-storage.ts';
import { checkWalletSignature } from './contract-wallet.ts';
import { HostError } from './host-error.ts';
import { LIFETIME } from './settings.ts';

type AuthEntry = xdr.SorobanAuthorizationEntryWire;
type AddressCredentials = xdr.SorobanAddressCredentialsWire;
type Invocation = xdr.SorobanAuthorizedInvocationWire;

/** The question of the invoked contract before it moves an asset of an address: `require_auth` of that address. */
export type Authorization = { require(address: ScAddress): void };

export type AuthContext = {
  networkId: Uint8Array;
  /** Source of the operation. It has signed the transaction, so it need not sign again. */
  source: Uint8Array;
  call: xdr.InvokeContractArgsWire;
  storage: ContractStorage;
};

/** Authorization by the entries of the operation (soroban-env-host, auth.rs). */
export class GivenAuthorization implements Authorization {
  readonly #context: AuthContext;
  readonly #entries: AuthEntry[];

  constructor(context: AuthContext, entries: AuthEntry[]) {
    this.#context = context;
    this.#entries = entries;
  }

  /**
   * @throws HostError when no entry allows exactly this call, or when the entry is expired, used or wrongly signed
   */
  require(address: ScAddress): void {
    for (const { credentials, rootInvocation } of this.#entries) {
      if (!isInvocationOf(rootInvocation, this.#context.call)) continue;
      if (credentials.type === 0) {
        if (sameAddress(accountAddress(this.#context.source), address)) return;
      } else if (credentials.type === 1 && sameAddress(credentials.address.address, address)) {
        useNonce(this.#context.storage, credentials.address);
        checkSignature(this.#context, credentials.address, rootInvocation);
        return;
      }
    }
    throw HostError.ofHost('Auth', 'InvalidAction', 'Unauthorized function call for address');
  }
}

/** Records the authorizations that would have to be signed, for simulation. */
export class RecordedAuthorization implements Authorization {
  readonly entries: AuthEntry[] = [];
  readonly #context: AuthContext;
  readonly #nonce: () => bigint;

  constructor(context: AuthContext, nonce: () => bigint) {
    this.#context = context;
    this.#nonce = nonce;
  }

  require(address: ScAddress): void {
    const { call, source, storage } = this.#context;
    const rootInvocation: Invocation = { function: { type: 0, contractFn: call }, subInvocations: [] };
    if (sameAddress(accountAddress(source), address)) {
      this.entries.push({ credentials: { type: 0 }, rootInvocation });
      return;
    }
    const nonce = this.#nonce();
    const credentials: AddressCredentials = {
      address,
      nonce,
      signatureExpirationLedger: 0,
      signature: VOID,
    };
    useNonce(storage, { ...credentials, signatureExpirationLedger: storage.ledgerSeq });
    if (address.type === 0) storage.account(address.accountId.ed25519);
    this.entries.push({ credentials: { type: 1, address: credentials }, rootInvocation });
  }
}

/** A nonce is valid once. It is stored as long as the signature is valid. */
function useNonce(storage: ContractStorage, credentials: AddressCredentials): void {
  const { address, nonce, signatureExpirationLedger: expiration } = credentials;
  const { ledgerSeq } = storage;
  if (expiration < ledgerSeq) throw HostError.ofHost('Auth', 'InvalidInput', 'signature has expired');
  if (expiration > ledgerSeq + LIFETIME.max - 1) {
    throw HostError.ofHost('Auth', 'InvalidInput', 'signature expiration is too late');
  }
  const key: ScVal = { type: 21, nonceKey: { nonce } };
  if (storage.getData(address, key, 'temporary') !== undefined) {
    throw HostError.ofHost('Auth', 'ExistingValue', 'nonce already exists for address');
  }
  storage.putData(address, key, 'temporary', VOID);
  storage.extendData(address, key, 'temporary', {
    threshold: LIFETIME.max,
    extendTo: expiration - ledgerSeq,
  });
}

function checkSignature(
  { networkId, storage }: AuthContext,
  { address, nonce, signatureExpirationLedger, signature }: AddressCredentials,
  invocation: Invocation,
): void {
  const preimage = { networkId, nonce, signatureExpirationLedger, invocation };
  const payload = sha256(xdr.HashIdPreimage.schema.encode({ type: 9, sorobanAuthorization: preimage }));
  if (address.type === 0) checkAccountSignatures(storage, address.accountId.ed25519, payload, signature);
  else if (address.type === 1) checkWalletSignature(networkId, address.contractId, payload, signature);
  else throw HostError.ofHost('Auth', 'InvalidInput', 'this kind of address cannot sign');
}

function isInvocationOf({ function: authorized }: Invocation, call: xdr.InvokeContractArgsWire): boolean {
  if (authorized.type !== 0) return false;
  const { schema } = xdr.InvokeContractArgs;
  return sameBytes(schema.encode(authorized.contractFn), schema.encode(call));
}
