import type { Asset, Keypair, Transaction } from '@stellar/stellar-sdk/base';
import {
  Account,
  Address,
  authorizeEntry,
  BASE_FEE,
  Contract,
  nativeToScVal,
  Operation,
  StrKey,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk/base';
import type { Server } from '@stellar/stellar-sdk/rpc';
import { walletContractId } from '../ledger/contract/contract-wallet.ts';
import { muxedContract } from '../ledger/missing-arms.ts';
import { parseMuxedContract } from '../ledger/muxed-contract.ts';
import { networkId } from '../ledger/transaction.ts';
import { SANDBOX_PASSPHRASE } from '../passphrase.ts';

/** Ledgers for which a signed authorization is valid. */
const VALID_LEDGERS = 100;

/** A wallet that is a contract (C…). The sandbox derives its address from one key and a salt. */
export type ContractWallet = { address: string; key: Keypair; salt: Uint8Array };

export function contractWallet(key: Keypair, salt = new Uint8Array(32)): ContractWallet {
  const id = walletContractId(networkId(SANDBOX_PASSPHRASE), key.rawPublicKey(), salt);
  return { address: StrKey.encodeContract(id), key, salt };
}

/** `amount` in stroops; `from` and `to` are G… or C…, `to` also M… or W…. */
export type Transfer = { asset: Asset; from: string; to: string; amount: bigint };

/** The call of `transfer` on the asset's Stellar Asset Contract, without authorizations. */
export function transferOperation({ asset, from, to, amount }: Transfer): xdr.Operation {
  const contract = new Contract(asset.contractId(SANDBOX_PASSPHRASE));
  const value = nativeToScVal(amount, { type: 'i128' });
  return contract.call('transfer', addressValue(from), addressValue(to), value);
}

function addressValue(address: string): xdr.ScVal {
  const muxed = parseMuxedContract(address);
  if (muxed === null) return new Address(address).toScVal();
  return xdr.ScVal.scvAddress(muxedContract(muxed.contract_id, muxed.muxed_id));
}

/** A prepared transaction that its source must still sign. Authorizations of the source need no other signature. */
export async function prepareTransfer(
  server: Server,
  source: Keypair,
  transfer: Transfer,
): Promise<Transaction> {
  return await server.prepareTransaction(await build(server, source, transferOperation(transfer)));
}

/** A payment from the wallet, sent and paid for by `submitter`: prepared, authorized by the wallet, and signed. */
export async function walletPayment(
  server: Server,
  submitter: Keypair,
  wallet: ContractWallet,
  payment: Omit<Transfer, 'from'>,
): Promise<Transaction> {
  const recorded = await prepareTransfer(server, submitter, { ...payment, from: wallet.address });
  const signed = await withAuthorization(server, recorded, async (_preimage, payload) => ({
    signatureScVal: walletSignature(wallet, payload),
  }));
  const transaction = await server.prepareTransaction(await build(server, submitter, signed));
  transaction.sign(submitter);
  return transaction;
}

type Signing = Parameters<typeof authorizeEntry>[1];

/** The operation of the prepared transaction, with an authorization signed by another account than the source. */
export async function withAuthorization(
  server: Server,
  prepared: Transaction,
  signer: Signing,
  validLedgers = VALID_LEDGERS,
): Promise<xdr.Operation> {
  const [operation] = prepared.operations;
  if (operation?.type !== 'invokeHostFunction') throw new Error('not a call of a contract');
  const { latestLedger } = await server.getFeeStats(); // the oldest versions name no header with their latest ledger
  const until = latestLedger + validLedgers;
  const entries = (operation.auth ?? []).map((entry) =>
    authorizeEntry(entry, signer, until, SANDBOX_PASSPHRASE),
  );
  return Operation.invokeHostFunction({ func: operation.func, auth: await Promise.all(entries) });
}

export function walletSignature({ key, salt }: ContractWallet, payload: Uint8Array): xdr.ScVal {
  const fields = { public_key: key.rawPublicKey(), salt, signature: key.sign(payload) };
  const names = Object.keys(fields).map((name): [string, ['symbol', null]] => [name, ['symbol', null]]);
  return nativeToScVal(fields, { type: Object.fromEntries(names) });
}

async function build(server: Server, source: Keypair, operation: xdr.Operation): Promise<Transaction> {
  const { seqNum } = await server.getAccountEntry(source.publicKey());
  const account = new Account(source.publicKey(), seqNum.toString());
  const options = { fee: BASE_FEE, networkPassphrase: SANDBOX_PASSPHRASE };
  return new TransactionBuilder(account, options).addOperation(operation).setTimeout(0).build();
}
