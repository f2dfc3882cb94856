/**
 * Pure: explains one credit of a wallet: its deposit, and the address of the deposit or why it has none. The same for what
 * others did to it: the adjustment, or why there is none.
 */
import type { Adjustment } from '../../stellar/credits/adjustment.ts';
import type { Credit, Memo } from '../../stellar/credits/credit.ts';
import type { Wallet } from '../../wallets/access.ts';
import { idInText } from '../ingest/attribute.ts';
import type { Adjustment as RecordedAdjustment } from '../recorded/adjustment-store.ts';
import type { Deposit } from '../recorded/deposit-store.ts';

/** The rows of the database about a transaction. `read`: whether the deposit cursor has passed its ledger. */
export type TransactionRecords = {
  read: boolean;
  /** Null when it is not in quarantine. */
  quarantine_reason: string | null;
  deposits: Deposit[];
  adjustments: RecordedAdjustment[];
};

export type CreditReason =
  | 'attributed'
  | 'assigned_by_hand'
  | 'refunded'
  | 'no_memo'
  | 'muxed_id_unknown'
  | 'memo_id_unknown'
  | 'memo_text_no_id'
  | 'memo_text_off'
  | 'memo_hash'
  | 'not_read_yet'
  | 'quarantined'
  | 'not_recorded';

export type CreditExplanation = { reason: CreditReason; message: string; deposit: Deposit | null };

/** The id and memo that the sender chose. They decide the address. */
type SenderChoice = Pick<Credit, 'muxed_id' | 'memo'>;
type Setting = Pick<Wallet, 'numeric_memo_text'>;

/** Explains a credit of a transaction in ledger `ledger`. */
export function explainCredit(
  setting: Setting,
  ledger: number,
  records: TransactionRecords,
  credit: Credit,
): CreditExplanation {
  const deposit = records.deposits.find(
    ({ operation_index, event_index }) =>
      operation_index === credit.operation_index && event_index === credit.event_index,
  );
  return deposit ? explainDeposit(setting, deposit, credit) : whyUnrecorded(ledger, records);
}

function whyUnrecorded(ledger: number, records: TransactionRecords): CreditExplanation {
  return { ...whyNotRecorded(ledger, records, 'a deposit'), deposit: null };
}

function whyNotRecorded(
  ledger: number,
  { read, quarantine_reason }: TransactionRecords,
  what: 'a deposit' | 'an adjustment',
): { reason: CreditReason; message: string } {
  if (quarantine_reason !== null) {
    const message = `It is not ${what} as long as the transaction is in quarantine.`;
    return { reason: 'quarantined', message };
  }
  if (!read) return { reason: 'not_read_yet', message: `It becomes ${what} when ledger ${ledger} is read.` };
  const message = `It should be ${what}, but is not recorded: run "teller backfill --from-ledger ${ledger}".`;
  return { reason: 'not_recorded', message };
}

export type AdjustmentExplanation = { message: string; adjustment: RecordedAdjustment | null };

/** Explains what others did to the wallet in a transaction of ledger `ledger`. */
export function explainAdjustment(
  ledger: number,
  records: TransactionRecords,
  done: Adjustment,
): AdjustmentExplanation {
  const adjustment = records.adjustments.find(
    ({ operation_index, event_index }) =>
      operation_index === done.operation_index && event_index === done.event_index,
  );
  if (adjustment) return { message: `It is adjustment ${adjustment.id}.`, adjustment };
  return { message: whyNotRecorded(ledger, records, 'an adjustment').message, adjustment: null };
}

/** Explains a recorded deposit. `choice` null: what the sender chose is not known any more. */
export function explainDeposit(
  setting: Setting,
  deposit: Deposit,
  choice: SenderChoice | null = choiceIn(deposit),
): CreditExplanation {
  const { id, address_id, assigned_by_hand, refund_withdrawal_id } = deposit;
  if (address_id !== null && !assigned_by_hand) {
    return { reason: 'attributed', message: `It is deposit ${id} of address ${address_id}.`, deposit };
  }
  const why = choice && whyUnattributed(setting, choice, deposit);
  const because = why ? `, because the sender named none: ${why.message}` : '.';
  if (address_id !== null) {
    const message = `It is deposit ${id}, which a person assigned to address ${address_id}${because}`;
    return { reason: 'assigned_by_hand', message, deposit };
  }
  if (refund_withdrawal_id !== null) {
    const message = `It is deposit ${id} without an address, which withdrawal ${refund_withdrawal_id} pays back${because}`;
    return { reason: 'refunded', message, deposit };
  }
  const message = `It is deposit ${id} without an address${because}`;
  return { reason: why?.reason ?? 'no_memo', message, deposit };
}

/** Reads the sender's choice from the row. An assignment by hand overwrote it with the memo id of the address: then null. */
function choiceIn({ memo_type, memo, memo_id, assigned_by_hand }: Deposit): SenderChoice | null {
  if (assigned_by_hand) return null;
  const said = { type: memo_type, value: memo } as Memo;
  const by_memo =
    said.type === 'id' ? BigInt(said.value) : said.type === 'text' ? idInText(said.value) : null;
  return { memo: said, muxed_id: memo_id === by_memo ? null : memo_id };
}

/** Checks in the same order as attribution (attribute.ts). */
function whyUnattributed(
  { numeric_memo_text }: Setting,
  { muxed_id, memo }: SenderChoice,
  { memo_id, assigned_by_hand }: Deposit,
): Pick<CreditExplanation, 'reason' | 'message'> {
  if (muxed_id !== null) {
    const message = `the paid M… address has id ${muxed_id}, which no deposit address of the wallet has.`;
    return { reason: 'muxed_id_unknown', message };
  }
  switch (memo.type) {
    case 'none':
      return { reason: 'no_memo', message: 'it was paid to the G… account without a memo.' };
    case 'id': {
      const message = `no deposit address of the wallet has memo id ${memo.value}.`;
      return { reason: 'memo_id_unknown', message };
    }
    case 'text': {
      // The row of a deposit that was assigned by hand does not show whether the setting was on.
      const counted = assigned_by_hand ? numeric_memo_text : memo_id !== null;
      return whyNotByText(memo.value, counted);
    }
    case 'hash':
    case 'return':
      return { reason: 'memo_hash', message: `a memo of type ${memo.type} names no deposit address.` };
  }
}

function whyNotByText(text: string, counted: boolean): Pick<CreditExplanation, 'reason' | 'message'> {
  const said = JSON.stringify(text);
  if (idInText(text) === null)
    return { reason: 'memo_text_no_id', message: `the memo text ${said} is not a memo id in digits.` };
  if (counted) {
    const message = `no deposit address of the wallet has the id of memo text ${said}.`;
    return { reason: 'memo_id_unknown', message };
  }
  const message = `the memo text ${said} would be a memo id, but numeric_memo_text was off when the deposit was read.`;
  return { reason: 'memo_text_off', message };
}
