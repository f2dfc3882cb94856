/** Pure: what became of one credit of a wallet: which deposit it is, and of which address or why of none. */
import type { Credit, Memo } from '../../stellar/credits/credit.ts';
import type { Wallet } from '../../wallets/access.ts';
import { idInText } from '../ingest/attribute.ts';
import type { Deposit } from '../store.ts';

/** What is recorded of a transaction. `quarantine_reason`: null when it is not in quarantine. */
export type Recorded = {
  read: boolean;
  quarantine_reason: string | null;
  deposits: Deposit[];
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

export type Story = { reason: CreditReason; message: string; deposit: Deposit | null };

/** What its sender named: it decides the address. */
type Named = Pick<Credit, 'muxed_id' | 'memo'>;
type Setting = Pick<Wallet, 'numeric_memo_text'>;

/** Of a credit in ledger `ledger`. */
export function storyOf(setting: Setting, ledger: number, recorded: Recorded, credit: Credit): Story {
  const deposit = recorded.deposits.find(
    ({ operation_index, event_index }) =>
      operation_index === credit.operation_index && event_index === credit.event_index,
  );
  return deposit ? storyOfDeposit(setting, deposit, credit) : whyUnrecorded(ledger, recorded);
}

function whyUnrecorded(ledger: number, { read, quarantine_reason }: Recorded): Story {
  const deposit = null;
  if (quarantine_reason !== null) {
    const message = 'It is no deposit while the transaction is in quarantine.';
    return { reason: 'quarantined', message, deposit };
  }
  if (!read) {
    const message = `It becomes a deposit when ledger ${ledger} is read.`;
    return { reason: 'not_read_yet', message, deposit };
  }
  const message = `It should be a deposit and is none: run "teller backfill --from-ledger ${ledger}".`;
  return { reason: 'not_recorded', message, deposit };
}

/** `named` null: it is not known any more. */
export function storyOfDeposit(
  setting: Setting,
  deposit: Deposit,
  named: Named | null = namedBy(deposit),
): Story {
  const { id, address_id, assigned_by_hand, refund_withdrawal_id } = deposit;
  if (address_id !== null && !assigned_by_hand) {
    return { reason: 'attributed', message: `It is deposit ${id} of address ${address_id}.`, deposit };
  }
  const why = named && whyUnattributed(setting, named, deposit);
  const because = why ? `, because it named none: ${why.message}` : '.';
  if (address_id !== null) {
    const message = `It is deposit ${id}, which a person assigned to address ${address_id}${because}`;
    return { reason: 'assigned_by_hand', message, deposit };
  }
  if (refund_withdrawal_id !== null) {
    const message = `It is deposit ${id} of no address, which withdrawal ${refund_withdrawal_id} pays back${because}`;
    return { reason: 'refunded', message, deposit };
  }
  const message = `It is deposit ${id} of no address${because}`;
  return { reason: why?.reason ?? 'no_memo', message, deposit };
}

/** As far as the row tells it: what was assigned by hand has the memo id of its address since. */
function namedBy({ memo_type, memo, memo_id, assigned_by_hand }: Deposit): Named | null {
  if (assigned_by_hand) return null;
  const said = { type: memo_type, value: memo } as Memo;
  const by_memo =
    said.type === 'id' ? BigInt(said.value) : said.type === 'text' ? idInText(said.value) : null;
  return { memo: said, muxed_id: memo_id === by_memo ? null : memo_id };
}

/** In the order in which attribution looks (attribute.ts). */
function whyUnattributed(
  { numeric_memo_text }: Setting,
  { muxed_id, memo }: Named,
  { memo_id, assigned_by_hand }: Deposit,
): Pick<Story, 'reason' | 'message'> {
  if (muxed_id !== null) {
    const message = `the M… address that was paid has id ${muxed_id}, which no deposit address of the wallet has.`;
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
      // What was assigned by hand does not tell any more whether the setting was on.
      const counted = assigned_by_hand ? numeric_memo_text : memo_id !== null;
      return whyNotByText(memo.value, counted);
    }
    case 'hash':
    case 'return':
      return { reason: 'memo_hash', message: `a memo of type ${memo.type} names no deposit address.` };
  }
}

function whyNotByText(text: string, counted: boolean): Pick<Story, 'reason' | 'message'> {
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
