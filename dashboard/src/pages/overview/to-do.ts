/** Pure: what waits for the reader of an overview. */
import type { Factors, WalletHealth } from '../../api/contract.ts';
import type { LoginOperation } from '../../api/me.ts';
import { waitingIn } from '../../api/unattributed.ts';
import { awaitsReader, type Deciding } from '../../text/approvals.ts';
import { capitalized } from '../../text/capitalized.ts';
import { counted } from '../../text/counted.ts';

/** `to`: the page where it is done. `isUrgent`: money or messages stand still until then. */
export type ToDo = { words: string; to: ToDoPage; isUrgent: boolean };
type ToDoPage =
  | '/approvals'
  | '/security'
  | '/wallets/$walletId/transactions'
  | '/wallets/$walletId/inbox'
  | '/wallets/$walletId/developers';

/** What is known; undefined while it is not read. `isPublic`: the wallet holds money of the public network. */
export type Waiting = {
  health: Pick<WalletHealth, 'reconciliation' | 'webhooks' | 'inbox'> | undefined;
  approvals: readonly Deciding[] | undefined;
  factors: Pick<Factors, 'factors' | 'required_by_team'> | undefined;
  isPublic: boolean;
  /** Whether the role of the reader may do this. */
  may: (operation: LoginOperation) => boolean;
};

/** Returns what waits, the most urgent first. Empty when nothing does. */
export function toDo({ health, approvals = [], factors, isPublic, may }: Waiting): ToDo[] {
  const waiting: ToDo[] = [];
  const add = (is: boolean, to: ToDoPage, isUrgent: boolean, words: string) => {
    if (is) waiting.push({ words, to, isUrgent });
  };
  if (health) {
    const { reconciliation, webhooks, inbox } = health;
    const failing = may('updateWebhook') ? webhooks.failing + webhooks.disabled : 0;
    const { count, isCut } = waitingIn(inbox);
    const unattributed = may('assignDeposit') ? count : 0;
    add(!reconciliation.ok, '/wallets/$walletId/transactions', true, capitalized(reconciliation.message));
    add(failing > 0, '/wallets/$walletId/developers', true, counted(failing, 'failing endpoint'));
    const or_more = isCut ? 'or more ' : '';
    const deposits = counted(unattributed, 'unattributed deposit', `${or_more}unattributed deposits`);
    add(unattributed > 0, '/wallets/$walletId/inbox', false, deposits);
  }
  const to_decide = approvals.filter(awaitsReader).length;
  add(to_decide > 0, '/approvals', false, `${counted(to_decide, 'request')} to approve or reject`);
  const isMissing = factors?.factors.length === 0 && (isPublic || factors.required_by_team);
  add(isMissing, '/security', false, 'Your login has no second factor');
  return waiting;
}
