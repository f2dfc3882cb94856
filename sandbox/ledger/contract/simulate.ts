import type { xdr } from '@stellar/stellar-sdk/base';
import type { Header } from '../account.ts';
import { withSequence } from '../account.ts';
import type { Entry } from '../entry.ts';
import type { AssetContracts } from '../events.ts';
import { EventSink } from '../events.ts';
import type { EntryChange, LedgerView } from '../ledger-txn.ts';
import { LedgerTxn } from '../ledger-txn.ts';
import { sourceOf } from '../operation.ts';
import type { Transaction } from '../transaction.ts';
import { lineLiabilities, withLineLiabilities } from '../trust-line.ts';
import { callTransfer } from './asset-contract.ts';
import { GivenAuthorization, RecordedAuthorization } from './authorization.ts';
import { bytesWritten, consumedBy, total } from './contract-run.ts';
import { ContractStorage, diskBytes } from './contract-storage.ts';
import { RecordedFootprint } from './footprint.ts';
import { instructionsOf, withMargin } from './instructions.ts';
import { largestEnvelopeBytes } from './largest-envelope.ts';
import { nonRefundableFee } from './resource-fee.ts';

export type Simulation = {
  data: xdr.SorobanTransactionDataWire;
  auth: xdr.SorobanAuthorizationEntryWire[];
  events: xdr.ContractEventWire[];
  changes: EntryChange[];
};

export type SimulationContext = {
  view: LedgerView;
  /** Header of the ledger for which the call is simulated. */
  header: Header;
  contracts: AssetContracts;
  /** Bytes that contracts keep in the ledger. */
  stateBytes: bigint;
  mode: 'enforce' | 'record';
  nonce: () => bigint;
  instructionLeeway: number;
};

/** Margin for the bytes of the transaction: the larger of the two. */
const SIZE_MARGIN = { percent: 10, bytes: 500 };
/** Margin for refundable costs, which may grow until the transaction is applied, in percent. */
const REFUNDABLE_MARGIN = 15n;

/**
 * What a transfer needs and does: footprint, resources and fee, and in recording mode the authorizations to sign
 * (soroban-simulation).
 * @throws HostError when the call would fail
 */
export function simulate(
  tx: Transaction,
  { hostFunction, auth: given }: xdr.InvokeHostFunctionOpWire,
  context: SimulationContext,
): Simulation {
  const { header, contracts, stateBytes, mode, instructionLeeway } = context;
  if (hostFunction.type !== 0) throw new Error('not a call of a contract');
  const call = hostFunction.invokeContract;
  const view = withFullSizes(context.view, header);
  const txn = new LedgerTxn(view, header.ledgerSeq);
  const recorded = new RecordedFootprint();
  const storage = new ContractStorage(txn, recorded, header.ledgerSeq);
  const [operation] = tx.tx.operations;
  const source = operation === undefined ? tx.source : sourceOf(tx, operation);
  const authContext = { networkId: contracts.networkId, source, call, storage };
  const recording = new RecordedAuthorization(authContext, context.nonce);
  const authorization = mode === 'record' ? recording : new GivenAuthorization(authContext, given);
  const events = new EventSink(contracts, { type: 0 });
  callTransfer(call, { contracts, assets: view.assets(), header, storage, authorization, events });

  const auth = mode === 'record' ? recording.entries : given;
  const footprint = recorded.toXdr();
  const resources = {
    footprint,
    instructions: withMargin(instructionsOf(auth, txn)) + instructionLeeway,
    diskReadBytes: diskBytes(view, footprint),
    writeBytes: bytesWritten(txn),
  };
  const refundable = total(consumedBy(txn, events.events, { ledgerSeq: header.ledgerSeq, stateBytes }));
  const data = (resourceFee: bigint) => ({ ext: { v: 0 } as const, resources, resourceFee });
  const most = largestEnvelopeBytes({ hostFunction, auth }, data(0n));
  const bytes = Math.max(Math.floor((most * (100 + SIZE_MARGIN.percent)) / 100), most + SIZE_MARGIN.bytes);
  const fee = nonRefundableFee(resources, bytes) + (refundable * (100n + REFUNDABLE_MARGIN)) / 100n;
  return { data: data(fee), auth, events: events.events, changes: txn.changes() };
}

/**
 * Classic entries may grow until the transaction is applied: that of the source account does when its sequence
 * number is used for the first time. So every entry is counted with its extensions.
 */
function withFullSizes(view: LedgerView, header: Header): LedgerView {
  const grown = (entry: Entry | undefined): Entry | undefined => {
    if (entry?.data.type === 0) {
      const account = withSequence(header, entry.data.account, entry.data.account.seqNum);
      return { ...entry, data: { type: 0, account } };
    }
    if (entry?.data.type !== 1) return entry;
    const { trustLine } = entry.data;
    const data = { type: 1 as const, trustLine: withLineLiabilities(trustLine, lineLiabilities(trustLine)) };
    return { ...entry, data };
  };
  return {
    get: (key) => grown(view.get(key)),
    offers: () => view.offers(),
    assets: () => view.assets(),
  };
}
