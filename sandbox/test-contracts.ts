/**
 * Contracts that exist on a sandbox without code: only their addresses matter, because of contracts the sandbox runs `transfer`
 * of assets alone. A contract is deployed by a data entry of one known account, with the contract's address as its name. So
 * deploying is an ordinary transaction, and the ledger knows which contracts exist.
 */
import { Keypair, StrKey, xdr } from '@stellar/stellar-sdk/base';
import { sha256 } from './ledger/bytes.ts';
import { walletContractId } from './ledger/contract/contract-wallet.ts';
import { LIFETIME } from './ledger/contract/settings.ts';
import { dataKey } from './ledger/entry.ts';
import { networkId } from './ledger/transaction.ts';
import type { StellarNode } from './node.ts';

/** The value of the data entry: whether the contract is in use, or archived because nobody has used it for long. */
export type TestContractState = 'live' | 'archived';

/** Key pair of the account whose data entries say which contracts exist. Everybody knows it. */
export function deployerKeypair(passphrase: string): Keypair {
  return Keypair.fromRawEd25519Seed(sha256(Buffer.from(`${passphrase} deployer of test contracts`)));
}

/** The wallet contract of a key, without salt (ledger/contract/contract-wallet.ts). C…. */
export function walletAddress(passphrase: string, key: Keypair): string {
  const id = walletContractId(networkId(passphrase), key.rawPublicKey(), new Uint8Array(32));
  return StrKey.encodeContract(id);
}

type Instance = { data: xdr.LedgerEntryDataWire; lastModifiedLedgerSeq: number; liveUntilLedgerSeq: number };

const INSTANCE_KEY = 20;
const WASM_HASH = sha256(Buffer.from('test contract'));

/** The entry that a contract has for as long as it exists: of an asset's contract, or of a deployed test contract. */
export function contractInstance(node: StellarNode, key: xdr.LedgerKeyWire): Instance | undefined {
  if (key.type !== 6) return undefined;
  const { contract, key: part, durability } = key.contractData;
  if (contract.type !== 1 || part.type !== INSTANCE_KEY || durability !== 1) return undefined;
  const { contractId } = contract;
  const instance = (executable: xdr.ContractExecutableWire): xdr.LedgerEntryDataWire => ({
    type: 6,
    contractData: {
      ext: { v: 0 },
      contract,
      key: part,
      durability,
      val: { type: 19, instance: { executable, storage: null } },
    },
  });
  const liveUntilLedgerSeq = node.latest.header.ledgerSeq + LIFETIME.min_persistent - 1;
  if (node.contracts.assetOf(contractId, node.view.assets()) !== undefined)
    return { data: instance({ type: 1 }), lastModifiedLedgerSeq: 1, liveUntilLedgerSeq };
  const deployer = deployerKeypair(node.options.passphrase).rawPublicKey();
  const entry = node.entry(dataKey(deployer, new xdr.XdrString(StrKey.encodeContract(contractId))));
  if (entry?.data.type !== 3) return undefined;
  const isArchived = Buffer.from(entry.data.data.dataValue).toString() === 'archived';
  return {
    data: instance({ type: 0, wasmHash: WASM_HASH }),
    lastModifiedLedgerSeq: entry.lastModifiedLedgerSeq,
    liveUntilLedgerSeq: isArchived ? 0 : liveUntilLedgerSeq,
  };
}
