/**
 * Pure: builds the transaction of a transfer by an asset's contract. Layout: Stellar-transaction.x, Stellar-contract.x.
 *
 * The wallet is the operation's source. Its signature under the transaction is all the authorization that the contract
 * asks for (credentials of the source account), so nothing that a network source sends is ever signed but the list of
 * ledger entries and the resources, which simulated-transfer.ts has checked.
 */
import { strict as assert } from 'node:assert';
import { publicKeyOf } from '../address.ts';
import type { ContractTransfer } from '../stellar.ts';
import { XdrWriter } from '../xdr/xdr-writer.ts';
import { assetContract, contractIdOf } from './asset-contract.ts';
import { networkId } from './envelope.ts';
import {
  buildTransaction,
  SIGNATURE_BYTES,
  type TransactionTerms,
  type UnsignedTransaction,
} from './write-transaction.ts';

/** `soroban_data`: XDR SorobanTransactionData, base64; null only for a simulation. */
export type ContractTransferOrder = TransactionTerms & {
  transfer: ContractTransfer;
  soroban_data: string | null;
};

const INVOKE_HOST_FUNCTION = 24;
const INVOKE_CONTRACT = 0;
const SC_ADDRESS = { account: 0, contract: 1, muxed_contract: 5 };
const SC_VAL = { i128: 10, address: 18 };
const PUBLIC_KEY_ED25519 = 0;
const MEMO_NONE = 0;
const CREDENTIALS_SOURCE_ACCOUNT = 0;
const AUTHORIZED_CONTRACT_FN = 0;
const FUNCTION = Buffer.from('transfer'); // eight bytes, so without padding

const MUXED_ID_BYTES = 8;
const CALL_BYTES = 36 + 12 + 4 + 44 + 40 + MUXED_ID_BYTES + 20; // at most
const OPERATION_BYTES = 4 + 4 + CALL_BYTES + 4 + 4 + 4 + CALL_BYTES + 4;

/** Builds the transfer. Signers: the wallet, and the channel if it is the transaction source. No memo: the network refuses one. */
export function buildContractTransfer(
  passphrase: string,
  { transfer, soroban_data, ...terms }: ContractTransferOrder,
): UnsignedTransaction {
  assert(terms.wallet_public_key.equals(publicKeyOf(transfer.from)));
  const extension = soroban_data === null ? null : extensionOf(Buffer.from(soroban_data, 'base64'));
  const write = (xdr: XdrWriter) => {
    const call = callOf(passphrase, transfer);
    xdr.uint32(INVOKE_HOST_FUNCTION).uint32(INVOKE_CONTRACT).opaque(call);
    xdr.uint32(1); // authorizations
    xdr.uint32(CREDENTIALS_SOURCE_ACCOUNT).uint32(AUTHORIZED_CONTRACT_FN).opaque(call);
    xdr.uint32(0); // further calls that it authorizes
  };
  return buildTransaction(networkId(passphrase), terms, {
    bytes: OPERATION_BYTES + (extension?.soroban_data.length ?? 0),
    memo: (xdr) => xdr.uint32(MEMO_NONE),
    operations: [{ source_public_key: terms.wallet_public_key, write }],
    extension,
  });
}

/** Returns the extension. The resource fee is the last field. */
function extensionOf(soroban_data: Buffer) {
  return { soroban_data, resource_fee_stroops: soroban_data.readBigInt64BE(soroban_data.length - 8) };
}

/** Writes the InvokeContractArgs: the asset's contract, `transfer`, and its three arguments. */
function callOf(passphrase: string, transfer: ContractTransfer): Buffer {
  const { asset, from, to, to_muxed_id, amount_stroops } = transfer;
  assert(amount_stroops > 0n);
  const xdr = new XdrWriter(CALL_BYTES);
  xdr.uint32(SC_ADDRESS.contract).opaque(contractIdOf(assetContract(passphrase, asset)));
  xdr.uint32(FUNCTION.length).opaque(FUNCTION);
  xdr.uint32(3); // arguments
  xdr.uint32(SC_VAL.address).uint32(SC_ADDRESS.account).uint32(PUBLIC_KEY_ED25519).opaque(publicKeyOf(from));
  xdr.uint32(SC_VAL.address);
  if (to_muxed_id === null) xdr.uint32(SC_ADDRESS.contract);
  else xdr.uint32(SC_ADDRESS.muxed_contract).uint64(to_muxed_id);
  xdr.opaque(contractIdOf(to));
  xdr.uint32(SC_VAL.i128).int64(0n).uint64(amount_stroops);
  return xdr.written();
}

/**
 * Builds the transaction that a source is asked to simulate, unsigned. Only its operation matters: a simulation looks neither at the
 * sequence number, nor at the fee, nor at time bounds.
 */
export function transferToSimulate(passphrase: string, transfer: ContractTransfer): string {
  return unsignedTransfer(passphrase, { transfer, soroban_data: null });
}

/** Returns the size of the transaction as its wallet alone signs it, in bytes. */
export function contractTransferBytes(
  passphrase: string,
  order: Pick<ContractTransferOrder, 'transfer' | 'soroban_data'>,
): number {
  return Buffer.from(unsignedTransfer(passphrase, order), 'base64').length + SIGNED_BYTES;
}

/** A signature with its hint and its length. */
const SIGNED_BYTES = 4 + 4 + SIGNATURE_BYTES;

function unsignedTransfer(
  passphrase: string,
  order: Pick<ContractTransferOrder, 'transfer' | 'soroban_data'>,
): string {
  const wallet_public_key = publicKeyOf(order.transfer.from);
  const account = { tx_source_public_key: wallet_public_key, wallet_public_key };
  const terms = { ...account, sequence: 1n, fee_stroops: 100n, min_time: 0n, max_time: 1n };
  return buildContractTransfer(passphrase, { ...terms, ...order }).envelopeWith([]);
}
