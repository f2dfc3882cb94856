import type { Keypair, Transaction } from '@stellar/stellar-sdk/base';
import {
  Account,
  Address,
  extractBaseAddress,
  Operation,
  SorobanDataBuilder,
  StrKey,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk/base';
import { accountKey, contractDataKey, trustLineKey } from '../ledger/entry.ts';
import { parseMuxedContract } from '../ledger/muxed-contract.ts';
import { addressValue, symbol } from '../ledger/sc-val.ts';
import { SANDBOX_PASSPHRASE } from '../passphrase.ts';
import type { Transfer } from './contract-wallet.ts';
import { transferOperation } from './contract-wallet.ts';
import type { ContractWorld } from './contract-world.ts';

/** The declarations of the sender, without simulation. Each may be overridden. */
export type Declaration = {
  readOnly: string[];
  readWrite: string[];
  instructions: number;
  diskReadBytes: number;
  writeBytes: number;
  resourceFee: bigint;
  /** Fee besides the resource fee, in stroops. */
  inclusionFee: bigint;
  operations: xdr.Operation[];
  auth: xdr.SorobanAuthorizationEntry[];
  adjust: (builder: TransactionBuilder) => void;
};

/** A transfer signed by `source`, with a generous declaration and the source's own authorization. */
export async function declaredTransfer(
  { server }: ContractWorld,
  source: Keypair,
  transfer: Transfer,
  overrides: Partial<Declaration> = {},
): Promise<Transaction> {
  const call = transferOperation(transfer);
  const declared: Declaration = {
    ...footprintOf(transfer),
    instructions: 5_000_000,
    diskReadBytes: 5_000,
    writeBytes: 5_000,
    resourceFee: 10_000_000n,
    inclusionFee: 100n,
    auth: [authorizationOfSource(call)],
    adjust: () => {},
    operations: [],
    ...overrides,
  };
  const { seqNum } = await server.getAccountEntry(source.publicKey());
  const builder = new TransactionBuilder(new Account(source.publicKey(), seqNum.toString()), {
    fee: declared.inclusionFee.toString(),
    networkPassphrase: SANDBOX_PASSPHRASE,
  });
  const operations = declared.operations.length > 0 ? declared.operations : [withAuth(call, declared.auth)];
  for (const operation of operations) builder.addOperation(operation);
  builder.setTimeout(0).setSorobanData(dataOf(declared));
  declared.adjust(builder);
  const transaction = builder.build();
  transaction.sign(source);
  return transaction;
}

function dataOf(declared: Declaration): xdr.SorobanTransactionData {
  const key = (text: string) => xdr.LedgerKey.fromXdr(text, 'base64');
  return new SorobanDataBuilder()
    .setFootprint(declared.readOnly.map(key), declared.readWrite.map(key))
    .setResources(declared.instructions, declared.diskReadBytes, declared.writeBytes)
    .setResourceFee(declared.resourceFee)
    .build();
}

/** Every entry that a transfer may touch. */
export function footprintOf({ asset, from, to }: Transfer): { readOnly: string[]; readWrite: string[] } {
  const contract = new Address(asset.contractId(SANDBOX_PASSPHRASE)).toScAddress().toXdrObject();
  const instance = contractDataKey(contract, { type: 20 }, 'persistent');
  const issuer = asset.getIssuer();
  const issuerKey = issuer === undefined ? [] : [accountKey(StrKey.decodeEd25519PublicKey(issuer))];
  const entry = (named: string) => {
    const muxed = parseMuxedContract(named);
    const holder = muxed === null ? named : StrKey.encodeContract(muxed.contract_id);
    if (StrKey.isValidContract(holder)) {
      const address = addressValue(new Address(holder).toScAddress().toXdrObject());
      return contractDataKey(contract, { type: 16, vec: [symbol('Balance'), address] }, 'persistent');
    }
    const ed25519 = StrKey.decodeEd25519PublicKey(extractBaseAddress(holder));
    if (asset.isNative()) return accountKey(ed25519);
    return trustLineKey(ed25519, asset.toTrustLineXdrObject().toXdrObject());
  };
  const holders = [...new Set([from, to])].filter((holder) => holder !== issuer);
  return { readOnly: [instance, ...issuerKey], readWrite: holders.map(entry) };
}

/** The entry that makes an authorization valid once; none for an authorization of the source. */
export function nonceKey(entry: xdr.SorobanAuthorizationEntry): string[] {
  const { credentials } = entry.toXdrObject();
  if (credentials.type !== 1) return [];
  const { address, nonce } = credentials.address;
  return [contractDataKey(address, { type: 21, nonceKey: { nonce } }, 'temporary')];
}

export function authorizationOfSource(operation: xdr.Operation): xdr.SorobanAuthorizationEntry {
  const { body } = operation.toXdrObject();
  if (body.type !== 24 || body.invokeHostFunctionOp.hostFunction.type !== 0) throw new Error('not a call');
  const contractFn = body.invokeHostFunctionOp.hostFunction.invokeContract;
  return xdr.SorobanAuthorizationEntry.fromXdrObject({
    credentials: { type: 0 },
    rootInvocation: { function: { type: 0, contractFn }, subInvocations: [] },
  });
}

function withAuth(operation: xdr.Operation, auth: xdr.SorobanAuthorizationEntry[]): xdr.Operation {
  const wire = operation.toXdrObject();
  if (wire.body.type !== 24) throw new Error('not a call');
  const func = xdr.HostFunction.fromXdrObject(wire.body.invokeHostFunctionOp.hostFunction);
  return Operation.invokeHostFunction({ func, auth });
}
