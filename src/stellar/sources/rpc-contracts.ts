/** The methods of a Stellar RPC server that know contracts. */
import { z } from 'zod';
import { decoding, UnusableAnswer } from '../answers/answers.ts';
import type { ContractSource } from '../answers/source.ts';
import {
  CALLS_PER_LEDGER_KEY,
  callsPerLedgerIn,
  FROZEN_KEY,
  PRICE_KEYS,
  pricesIn,
  settingIn,
} from '../contracts/contract-prices.ts';
import { checkSorobanData, isOurAuthorization } from '../contracts/simulated-transfer.ts';
import { xdr } from '../protocol/sdk.ts';
import type { Asset, ContractState, ContractTransfer } from '../stellar.ts';
import { assetContract, contractBalanceKey, instanceKey } from '../transactions/asset-contract.ts';
import { transferToSimulate } from '../transactions/build-contract-transfer.ts';
import type { RpcClient } from './rpc-client.ts';

const Entries = z.object({
  entries: z
    .array(z.object({ key: z.string(), xdr: z.string(), liveUntilLedgerSeq: z.int().optional() }))
    .nullish(),
  latestLedger: z.int(),
});
/** A failure is an answer with `error`. `restorePreamble`: archived entries that another transaction must restore first. */
const Simulation = z.object({
  error: z.string().optional(),
  transactionData: z.string().optional(),
  results: z.array(z.object({ auth: z.array(z.string()).nullish() })).nullish(),
  restorePreamble: z.unknown().optional(),
  latestLedger: z.int(),
});
const FeeStats = z.object({
  sorobanInclusionFee: z.object({ p90: z.string().regex(/^\d{1,18}$/) }).optional(),
});

export function rpcContracts(client: RpcClient, passphrase: string): ContractSource {
  return {
    async readContract(to, asset) {
      const { entries, latestLedger } = await client.call(
        'getLedgerEntries',
        { keys: keysOf(passphrase, to, asset) },
        Entries,
      );
      const state = decoding('getLedgerEntries', () =>
        stateIn(keysOf(passphrase, to, asset), entries ?? [], latestLedger),
      );
      return { latest_ledger: latestLedger, state };
    },
    async simulateTransfer(transfer) {
      const transaction = transferToSimulate(passphrase, transfer);
      const answer = await client.call('simulateTransaction', { transaction }, Simulation);
      const simulated = decoding('simulateTransaction', () =>
        simulatedIn(passphrase, transfer, { transaction, answer }),
      );
      return { latest_ledger: answer.latestLedger, simulated };
    },
    async feePerOperation() {
      const { sorobanInclusionFee } = await client.call('getFeeStats', undefined, FeeStats);
      return BigInt(sorobanInclusionFee?.p90 ?? 0);
    },
    async readPrices() {
      const { entries } = await client.call('getLedgerEntries', { keys: PRICE_KEYS }, Entries);
      return decoding('getLedgerEntries', () => pricesIn((entries ?? []).map((entry) => entry.xdr)));
    },
    async readCallsPerLedger() {
      const { entries } = await client.call('getLedgerEntries', { keys: [CALLS_PER_LEDGER_KEY] }, Entries);
      return decoding('getLedgerEntries', () => callsPerLedgerIn((entries ?? []).map((entry) => entry.xdr)));
    },
    async readFrozenKeys() {
      const { entries } = await client.call('getLedgerEntries', { keys: [FROZEN_KEY] }, Entries);
      return decoding('getLedgerEntries', () => frozenIn(entries ?? []));
    },
  };
}

/** Reads the frozen keys. A network that has never frozen anything may lack the entry. */
function frozenIn(entries: Answered): string[] {
  return entries.flatMap((entry) => {
    const setting = settingIn(entry.xdr);
    if (entry.key !== FROZEN_KEY || setting.configSettingID !== 17)
      throw new Error('the entry of frozen keys is another');
    return setting.frozenLedgerKeys.keys.map((key) => Buffer.from(key).toString('base64'));
  });
}

/** Returns the keys to ask for, each once. The contract of the asset may be the receiver itself. */
function keysOf(passphrase: string, to: string, asset: Asset | null): string[] {
  const contract = assetContract(passphrase, asset);
  return [...new Set([instanceKey(to), contractBalanceKey(contract, to), instanceKey(contract)])];
}

type Answered = NonNullable<z.output<typeof Entries>['entries']>;

function stateIn(keys: string[], entries: Answered, latest_ledger: number): ContractState {
  const found = new Map(entries.map((entry) => [entry.key, entry]));
  for (const key of found.keys())
    if (!keys.includes(key)) throw new UnusableAnswer('getLedgerEntries', 'an entry that was not asked for');
  const [own, balance, asset_contract] = keys.map((key) => found.get(key));
  return {
    contract: contractIn(own, latest_ledger),
    asset_deployed: keys.length < 3 || asset_contract !== undefined,
    balance: balance ? balanceIn(balance.xdr) : null,
  };
}

/** Reads the state of a contract. Archived entries are still in the answer, with a lifetime of 0 or one that is over. */
function contractIn(own: Answered[number] | undefined, latest_ledger: number): ContractState['contract'] {
  if (!own) return 'absent';
  const data = xdr.LedgerEntryData.fromXdr(own.xdr, 'base64');
  if (data.type !== 'contractData' || data.contractData.val.type !== 'scvContractInstance')
    throw new Error('the entry of a contract holds something else');
  if (data.contractData.val.instance.executable.type === 'contractExecutableStellarAsset') return 'asset';
  return (own.liveUntilLedgerSeq ?? 0) < latest_ledger ? 'archived' : 'live';
}

/** Reads a contract's balance. Source: soroban-env-host stellar_asset_contract/storage_types.rs, BalanceValue. */
function balanceIn(entry: string): ContractState['balance'] {
  const data = xdr.LedgerEntryData.fromXdr(entry, 'base64');
  if (data.type !== 'contractData' || data.contractData.val.type !== 'scvMap')
    throw new Error('the balance of a contract has another form');
  const fields = data.contractData.val.map ?? [];
  const authorized = fields.find(
    ({ key }) => key.type === 'scvSymbol' && key.sym.toString() === 'authorized',
  )?.val;
  if (authorized?.type !== 'scvBool') throw new Error('the balance of a contract without its authorization');
  return { authorized: authorized.b };
}

function simulatedIn(
  passphrase: string,
  transfer: ContractTransfer,
  { transaction, answer }: { transaction: string; answer: z.output<typeof Simulation> },
) {
  const { error, transactionData, results, restorePreamble } = answer;
  if (error !== undefined) return { possible: false as const, reason: firstLine(error) };
  if (restorePreamble !== undefined && restorePreamble !== null)
    return { possible: false as const, reason: 'archived entries must be restored first' };
  if (transactionData === undefined) throw new Error('a simulation without its data');
  if (!isOurAuthorization(transaction, results?.[0]?.auth ?? []))
    throw new Error('another authorization than that of the source account for this call');
  return checkSorobanData(passphrase, transfer, transactionData);
}

/** Returns the first line. After it comes a log of events, which names addresses. */
function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').slice(0, 200);
}
