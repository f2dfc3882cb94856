/**
 * Pure: what contracts of assets take from accounts and do to their trust lines, from the proven events of a call.
 * Source: CAP-46-6 (Stellar Asset Contract), CAP-67 (its events since protocol 23).
 */
import { StrKey, xdr } from '../protocol/sdk.ts';
import type { Adjustment, LineOrder } from './adjustment.ts';
import { amountIn, assetOfContract, textOf } from './contract-events.ts';

/** A call of a contract: who made it, and its events, which `provenEvents` has proven. */
type Call = { source: string; events: readonly xdr.ContractEvent[] };

/**
 * By the event's name: the types of its topics, the last address among them being the one that loses, or whose trust line
 * it is (of a transfer, the last but one); and the functions of the contract that write it.
 */
const FORMS = {
  transfer: { topics: ['Symbol Address Address String'], by: ['transfer', 'transfer_from'] },
  burn: { topics: ['Symbol Address String'], by: ['burn', 'burn_from', 'transfer', 'transfer_from'] },
  // Before protocol 23, the admin stood before the account.
  clawback: { topics: ['Symbol Address String', 'Symbol Address Address String'], by: ['clawback'] },
  set_authorized: {
    topics: ['Symbol Address String', 'Symbol Address Address String'],
    by: ['set_authorized'],
  },
};
type Name = keyof typeof FORMS;

const REASONS = { transfer: 'contract_transfer', burn: 'contract_burn', clawback: 'clawback' } as const;

/** Finds what contracts of assets took from accounts. @throws Error for an event or amount in an unknown form */
export function takenByContract(
  passphrase: string,
  invoked: xdr.InvokeHostFunctionOp,
  call: Call,
): Omit<Adjustment, 'operation' | 'operation_index'>[] {
  return accountEvents(passphrase, call.events).flatMap(
    ({ name, account, asset, contract, event_index, data }) => {
      // What an issuer transfers is new: it has no balance of its asset.
      if (name === 'set_authorized' || account === asset.asset_issuer) return [];
      const { amount_stroops } = amountIn(data);
      if (amount_stroops === 0n) return [];
      const caused_by = causerOf(invoked, call.source, { contract, name });
      return [{ account, ...asset, amount_stroops, reason: REASONS[name], caused_by, event_index }];
    },
  );
}

/** Finds the trust lines whose authorization contracts of assets have set. @throws Error for an event in an unknown form */
export function orderedByContract(
  passphrase: string,
  invoked: xdr.InvokeHostFunctionOp,
  call: Call,
): Omit<LineOrder, 'operation' | 'operation_index'>[] {
  return accountEvents(passphrase, call.events).flatMap(({ name, account, asset, contract, event_index }) => {
    const { asset_code: code, asset_issuer: issuer } = asset;
    if (name !== 'set_authorized' || issuer === null) return [];
    const caused_by = causerOf(invoked, call.source, { contract, name });
    return [{ account, asset: { code, issuer }, caused_by, event_index }];
  });
}

type AccountEvent = {
  name: Name;
  /** G… */
  account: string;
  asset: NonNullable<ReturnType<typeof assetOfContract>>;
  /** C… of the asset. */
  contract: string;
  event_index: number;
  data: xdr.ScVal;
};

/** Returns the events of assets’ own contracts that concern accounts: any contract can write any event. */
function accountEvents(passphrase: string, events: readonly xdr.ContractEvent[]): AccountEvent[] {
  return events.flatMap((event, event_index) => {
    const { topics, data } = event.body.v0;
    const name = nameOf(topics[0]);
    if (event.type !== xdr.ContractEventType.contract || !name || !event.contractId) return [];
    const asset = assetOfContract(passphrase, event.contractId, topics);
    if (!asset) return [];
    const form = topics.map(({ type }) => type.slice('scv'.length)).join(' ');
    if (!FORMS[name].topics.includes(form))
      throw new Error(`an event ${name} of ${asset.asset_code} with ${form}`);
    const addresses = topics.flatMap((topic) => (topic.type === 'scvAddress' ? [textOf(topic.address)] : []));
    const account = addresses.at(name === 'transfer' ? -2 : -1) ?? '';
    if (!StrKey.isValidEd25519PublicKey(account)) return [];
    const contract = StrKey.encodeContract(event.contractId.value);
    return [{ name, account, asset, contract, event_index, data }];
  });
}

function nameOf(topic: xdr.ScVal | undefined): Name | null {
  const text = topic?.type === 'scvSymbol' ? topic.sym.toString() : '';
  return Object.hasOwn(FORMS, text) ? (text as Name) : null;
}

/**
 * Returns the causer: the account or contract that authorized the call of the asset’s contract. An admin that is a contract authorizes by calling, so
 * then it is the called contract.
 */
function causerOf(
  { hostFunction, auth }: xdr.InvokeHostFunctionOp,
  source: string,
  called: { contract: string; name: Name },
): string {
  const entry = auth.find(({ rootInvocation }) => isIn(rootInvocation, called));
  if (entry) {
    const by = authorizerOf(entry.credentials);
    return by ? textOf(by) : source;
  }
  if (hostFunction.type !== 'hostFunctionTypeInvokeContract') return source;
  const { contractAddress } = hostFunction.invokeContract;
  return textOf(contractAddress);
}

/** Returns the authorizer; null means the source of the operation. */
function authorizerOf(credentials: xdr.SorobanCredentials): xdr.ScAddress | null {
  switch (credentials.type) {
    case 'sorobanCredentialsSourceAccount':
      return null;
    case 'sorobanCredentialsAddress':
      return credentials.address.address;
    case 'sorobanCredentialsAddressV2':
      return credentials.addressV2.address;
    case 'sorobanCredentialsAddressWithDelegates':
      return credentials.addressWithDelegates.addressCredentials.address;
  }
}

function isIn(
  { function: authorized, subInvocations }: xdr.SorobanAuthorizedInvocation,
  called: { contract: string; name: Name },
): boolean {
  if (authorized.type === 'sorobanAuthorizedFunctionTypeContractFn') {
    const { contractAddress, functionName } = authorized.contractFn;
    const isCalled = textOf(contractAddress) === called.contract;
    if (isCalled && FORMS[called.name].by.includes(functionName.toString())) return true;
  }
  return subInvocations.some((each) => isIn(each, called));
}
