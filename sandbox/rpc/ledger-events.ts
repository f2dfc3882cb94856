import { StrKey, xdr } from '@stellar/stellar-sdk/base';
import { base64, hex } from '../ledger/bytes.ts';
import type { EventTexts } from '../store/event-texts.ts';
import type { TransactionEvents } from '../store/ledger-store.ts';
import { timeText } from '../time-text.ts';
import type { EventId } from './event-id.ts';
import { formatEventId, LAST_OPERATION, LAST_TRANSACTION } from './event-id.ts';

const TYPES = ['system', 'contract', 'diagnostic'] as const;

export type EventInfo = ReturnType<typeof eventInfo>;

/**
 * All events of one ledger in the order of their ids: first those before all transactions (fees), then for each
 * transaction those of its operations and those after it, and last those after all transactions (fee refunds).
 */
export function eventsOfLedger(transactions: TransactionEvents[]): EventInfo[] {
  const numbers = new Map<string, number>();
  const found = transactions.flatMap((row) => {
    const { transactionEventsXdr, contractEventsXdr } = JSON.parse(row.events) as EventTexts;
    const own = transactionEventsXdr.map((text) => {
      const { stage, event } = xdr.TransactionEvent.schema.decode(Buffer.from(text, 'base64'));
      const place = placeOf(stage, row);
      const key = `${place.transaction}/${place.operation}`;
      const number = numbers.get(key) ?? 0;
      numbers.set(key, number + 1);
      return eventInfo(row, { ...place, event: number }, event);
    });
    const ofOperations = contractEventsXdr.flatMap((texts, operation) =>
      texts.map((text, event) => {
        const id = { ledger: row.ledger, transaction: row.application_order, operation, event };
        return eventInfo(row, id, xdr.ContractEvent.schema.decode(Buffer.from(text, 'base64')));
      }),
    );
    return [...own, ...ofOperations];
  });
  return found.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** 0 before all transactions, 1 after this one, 2 after all (stellar-rpc, db/event.go). */
function placeOf(stage: number, { ledger, application_order }: TransactionEvents): Omit<EventId, 'event'> {
  if (stage === 0) return { ledger, transaction: 0, operation: 0 };
  if (stage === 1) return { ledger, transaction: application_order, operation: LAST_OPERATION };
  return { ledger, transaction: LAST_TRANSACTION, operation: 0 };
}

function eventInfo(row: TransactionEvents, id: EventId, event: xdr.ContractEventWire) {
  const { topics, data } = event.body.v0;
  return {
    type: TYPES[event.type] ?? 'diagnostic',
    ledger: row.ledger,
    ledgerClosedAt: timeText(row.close_time),
    contractId: event.contractId === null ? '' : StrKey.encodeContract(event.contractId),
    id: formatEventId(id),
    operationIndex: id.operation,
    transactionIndex: id.transaction,
    txHash: hex(row.hash),
    inSuccessfulContractCall: row.successful === 1,
    topic: topics.map((topic) => base64(xdr.ScVal.schema.encode(topic))),
    value: base64(xdr.ScVal.schema.encode(data)),
  };
}
