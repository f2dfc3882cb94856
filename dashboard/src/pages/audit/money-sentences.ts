/** Pure: what the audit log tells of withdrawals, payouts, deposits and deposit addresses. */
import { changesOf } from './facts.ts';
import {
  amountOf,
  countOf,
  endedBecause,
  type Facts,
  inWallet,
  inWords,
  objectsIn,
  type Piece,
  quoted,
  type Sentence,
  say,
  type Told,
  textOf,
  walletOf,
} from './told.ts';

export const MONEY = {
  'withdrawal.requested': (told) =>
    say`requested a ${paymentIn(told)}${forWhat(told)}${quoted(told.after.reference)}`,
  'withdrawal.approved': (told) =>
    say`approved a ${paymentIn(told)}${progressIn(told.after, 'it is sent')}${commentIn(told.after)}`,
  'withdrawal.rejected': (told) => say`rejected a ${paymentIn(told)}${commentIn(told.after)}`,
  'withdrawal.approval_expired': (told) =>
    say`ended a ${inWallet(told, 'withdrawal', 'withdrawals', told.entry.target.id)} from ${walletOf(told)} that awaited approvals${endedBecause(told.after)}`,
  'payout.created': (told) => say`made ${payoutOf(told)}${rowsIn(told.after)}`,
  'payout.started': (told) => say`started ${payoutOf(told)}${totalsIn(told.after)}`,
  'payout.requested': (told) => say`asked for approvals of ${payoutOf(told)}${totalsIn(told.after)}`,
  'payout.approved': (told) =>
    say`approved ${payoutOf(told)}${rowsIn(told.after)}${progressIn(told.after, 'it runs')}${commentIn(told.after)}`,
  'payout.rejected': (told) => say`rejected ${payoutOf(told)}${commentIn(told.after)}`,
  'payout.approval_expired': (told) =>
    say`ended ${payoutOf(told)}, which awaited approvals${endedBecause(told.after)}`,
  'payout.paused': (told) => say`paused ${payoutOf(told)}${reasonIn(told.after)}`,
  'payout.resumed': (told) => say`resumed ${payoutOf(told)}`,
  'payout.cancelled': (told) => say`cancelled ${payoutOf(told)}`,
  'payout.completed': (told) => say`completed ${payoutOf(told)}${rowsIn(told.after)}`,
  'deposit.assigned': (told) => {
    const { entry, after } = told;
    const deposit = inWallet(told, 'deposit', 'deposits', entry.target.id);
    const address = inWallet(told, 'deposit address', 'addresses', after.address_id);
    return say`assigned a ${deposit} of ${walletOf(told)} to a ${address}`;
  },
  'payee.created': (told) => say`added the payee ${payeeIn(told.after)}`,
  'payee.changed': (told) => say`changed the payee ${payeeIn(told.after)}${changesOf(told)}`,
  'payee.deleted': (told) => say`deleted the payee ${payeeIn(told.before)}`,
  'address.created': (told) => say`made ${addressOf(told)}`,
  'address.changed': (told) => say`changed ${addressOf(told)}${changesOf(told)}`,
} satisfies Record<string, Sentence>;

/** `“Northwind” (GABC…, memo 5)`. */
function payeeIn({ name, destination, memo_id }: Facts): Piece[] {
  const memo = typeof memo_id === 'string' ? `, memo ${memo_id}` : '';
  const address = typeof destination === 'string' ? say` (${inWords(destination)}${memo})` : [];
  return say`“${textOf(name) ?? 'of an unknown name'}”${address}`;
}

/** `withdrawal of 12.5 XLM from the wallet Payroll to GABC…`. */
function paymentIn(told: Told): Piece[] {
  const { entry, after } = told;
  const what = `${after.refund_of ? 'refund' : 'withdrawal'} of ${amountOf(after)}`;
  const payment = inWallet(told, what, 'withdrawals', entry.target.id);
  const { destination } = after;
  const to = typeof destination === 'string' && destination !== '' ? say` to ${inWords(destination)}` : [];
  return say`${payment} from ${walletOf(told)}${to}`;
}

/** What the withdrawal pays back, or the payout that it is a row of. */
function forWhat(told: Told): Piece[] {
  const { refund_of, payout_id } = told.after;
  if (typeof refund_of === 'string') return say` for a ${inWallet(told, 'deposit', 'deposits', refund_of)}`;
  if (typeof payout_id === 'string')
    return say`, a row of a ${inWallet(told, 'payout', 'payouts', payout_id)}`;
  return [];
}

/** `the payout Salaries of the wallet Payroll`. */
function payoutOf(told: Told): Piece[] {
  const { entry, after } = told;
  const name = textOf(after.name) ?? entry.target.id ?? 'without a name';
  return say`the payout ${inWallet(told, name, 'payouts', entry.target.id)} of ${walletOf(told)}`;
}

/** `the deposit address Customer 42 of the wallet Main`. The label is that of the entry. */
function addressOf(told: Told): Piece[] {
  const { entry, before, after } = told;
  const called = textOf(before.label) ?? textOf(after.label);
  const address = inWallet(
    told,
    called ?? entry.target.id ?? 'of an unknown id',
    'addresses',
    entry.target.id,
  );
  return say`the deposit address ${called === undefined ? { ...address, long: true } : address} of ${walletOf(told)}`;
}

function rowsIn({ rows }: Facts): string {
  return typeof rows === 'number' ? ` (${countOf(rows, 'row')})` : '';
}

/** `: 300 XLM and 7 USDC of GA5Z…KZVN in 12 rows`. */
function totalsIn(after: Facts): string {
  const sums = objectsIn(after.totals).map(amountOf).join(' and ');
  if (sums === '') return rowsIn(after);
  return `: ${sums}${typeof after.rows === 'number' ? ` in ${countOf(after.rows, 'row')}` : ''}`;
}

/** `: it has its approvals, and it is sent`, `: 1 of 2 approvals`. */
function progressIn({ sent, counting, approvals_required }: Facts, then: string): string {
  if (sent === true) return `: it has its approvals, and ${then}`;
  if (typeof counting !== 'number' || typeof approvals_required !== 'number') return '';
  return `: ${counting} of ${countOf(approvals_required, 'approval')}`;
}

function commentIn({ comment }: Facts): string {
  const text = textOf(comment);
  return text === undefined ? '' : `, “${text}”`;
}

function reasonIn({ reason }: Facts): string {
  const text = textOf(reason);
  return text === undefined ? '' : `: ${text.replaceAll('_', ' ')}`;
}
