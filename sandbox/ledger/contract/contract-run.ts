import { xdr } from '@stellar/stellar-sdk/base';
import type { AssetContracts } from '../events.ts';
import type { LedgerTxn } from '../ledger-txn.ts';
import type { ScVal } from '../sc-val.ts';
import { symbol, text, VOID } from '../sc-val.ts';
import type { ContractTransaction } from '../transaction.ts';
import { bytesOf, rentChanges } from './contract-storage.ts';
import type { HostError } from './host-error.ts';
import { eventsFee, nonRefundableFee, rentFee, rentPerKb } from './resource-fee.ts';
import { STATE_BYTES } from './settings.ts';

type ContractEvent = xdr.ContractEventWire;

/** Refundable fees, in stroops. */
export type Consumed = { events: bigint; rent: bigint };

/** The return value of a transfer. */
const RETURN_VALUE: ScVal = VOID;

/** One contract transaction while it is applied: its declarations and its results. */
export class ContractRun {
  readonly data: xdr.SorobanTransactionDataWire;
  readonly contracts: AssetContracts;
  /** Bytes that contracts keep in the ledger: rent depends on them. */
  readonly stateBytes: bigint | undefined;
  readonly #nonRefundable: bigint;
  #consumed: Consumed | null = null;
  #error: HostError | null = null;

  constructor(
    { soroban, envelopeXdr }: ContractTransaction,
    { contracts, stateBytes }: { contracts: AssetContracts; stateBytes?: bigint | undefined },
  ) {
    this.data = soroban;
    this.contracts = contracts;
    this.stateBytes = stateBytes;
    this.#nonRefundable = nonRefundableFee(soroban.resources, envelopeXdr.length);
  }

  /** Part of the declared resource fee that is left for refundable costs, in stroops. */
  get refundable(): bigint {
    return this.data.resourceFee - this.#nonRefundable;
  }

  succeeded(consumed: Consumed): void {
    this.#consumed = consumed;
  }

  failed(error: HostError): void {
    this.#error = error;
  }

  /** The refund in stroops. A failed transaction has no refundable costs. */
  get refund(): bigint {
    return this.refundable - total(this.#consumed);
  }

  get meta(): xdr.SorobanTransactionMetaV2Wire {
    const v1 = {
      ext: { v: 0 } as const,
      totalNonRefundableResourceFeeCharged: this.#nonRefundable,
      totalRefundableResourceFeeCharged: total(this.#consumed),
      rentFeeCharged: this.#consumed?.rent ?? 0n,
    };
    return { ext: { v: 1, v1 }, returnValue: this.#consumed === null ? null : RETURN_VALUE };
  }

  /** Why the transaction failed, as nodes with diagnostic events report it. */
  get diagnosticEvents(): xdr.DiagnosticEventWire[] {
    return this.#error === null ? [] : [errorEvent(this.#error)];
  }
}

/** @param txn changes of the operation */
export function consumedBy(
  txn: LedgerTxn,
  events: ContractEvent[],
  { ledgerSeq, stateBytes = STATE_BYTES }: { ledgerSeq: number; stateBytes?: bigint | undefined },
): Consumed {
  const bytes = [
    xdr.ScVal.schema.encode(RETURN_VALUE),
    ...events.map((event) => xdr.ContractEvent.schema.encode(event)),
  ].reduce((sum, { length }) => sum + length, 0);
  return { events: eventsFee(bytes), rent: rentFee(rentChanges(txn), ledgerSeq, rentPerKb(stateBytes)) };
}

export function total(consumed: Consumed | null): bigint {
  return consumed === null ? 0n : consumed.events + consumed.rent;
}

/** Bytes of the entries that the operation wrote. Rent pays for the entries of lifetimes. */
export function bytesWritten(txn: LedgerTxn): number {
  const written = txn.changes().flatMap(({ after }) => (after && after.data.type !== 9 ? [after] : []));
  return written.reduce((sum, entry) => sum + bytesOf(entry), 0);
}

/** The data whose hash is in the result. */
export function successPreimage(events: ContractEvent[]): Uint8Array {
  return xdr.InvokeHostFunctionSuccessPreImage.schema.encode({ returnValue: RETURN_VALUE, events });
}

export function errorEvent({ error, detail }: HostError): xdr.DiagnosticEventWire {
  const topics: ScVal[] = [symbol('error'), { type: 2, error }];
  const body: xdr.ContractEventBodyWire = { v: 0, v0: { topics, data: text(detail) } };
  return {
    inSuccessfulContractCall: false,
    event: { ext: { v: 0 }, contractId: null, type: 2, body },
  };
}
