/** What a node may say of a transfer to a contract that is not so: each alters an honest answer of simulateTransaction. */
import { xdr } from '@stellar/stellar-sdk/base';
import type { Lie } from './ledger-lies.ts';

/** An answer whose declared data is another; an answer without data is left as it is. */
const data = (name: string, change: (data: any) => void): Lie => ({
  name,
  alter: (result) => {
    if (!result.transactionData) return result;
    const declared: any = xdr.SorobanTransactionData.schema.decode(
      Buffer.from(result.transactionData, 'base64'),
    );
    change(declared);
    const bytes = xdr.SorobanTransactionData.schema.encode(declared);
    return { ...result, transactionData: Buffer.from(bytes).toString('base64') };
  },
});

/** The first three are within what the service can check: the ledger refuses the transfer, and it is paid for. */
export const SIMULATION_LIES: readonly Lie[] = [
  data('simulation_scant', ({ resources }) => {
    resources.instructions = Math.ceil(resources.instructions / 100);
  }),
  data('simulation_short', ({ resources }) => {
    resources.writeBytes = 1;
  }),
  data('simulation_cheap', (declared) => {
    declared.resourceFee = 1n;
  }),
  data('simulation_dear', (declared) => {
    declared.resourceFee *= 100n;
  }),
  data('simulation_without_entry', ({ resources }) => {
    resources.footprint.readWrite.pop();
  }),
  data('simulation_only_read', ({ resources: { footprint } }) => {
    footprint.readOnly.push(footprint.readWrite.pop());
  }),
  {
    name: 'simulation_refused',
    alter: ({ latestLedger }) => ({ error: 'HostError: Error(Contract, #10)', latestLedger }),
  },
  {
    name: 'simulation_archived',
    alter: (result) => ({ ...result, restorePreamble: { minResourceFee: '1', transactionData: '' } }),
  },
  {
    name: 'simulation_authorized_twice',
    alter: (result) => ({
      ...result,
      results: result.results?.map((one: any) => ({ ...one, auth: [...one.auth, ...one.auth] })),
    }),
  },
];

/** Type 6 of LedgerEntryType: CONTRACT_DATA. */
const CONTRACT_DATA = Buffer.from([0, 0, 0, 6]);

/** Of getLedgerEntries: a contract does not exist, or has nothing. */
export const ENTRIES_LIES: readonly Lie[] = [
  {
    name: 'contracts_denied',
    alter: (result) => ({
      ...result,
      entries: result.entries?.filter(
        ({ key }: { key: string }) => !Buffer.from(key, 'base64').subarray(0, 4).equals(CONTRACT_DATA),
      ),
    }),
  },
];
