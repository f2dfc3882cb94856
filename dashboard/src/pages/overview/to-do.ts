/** Pure: what waits for the reader of an overview. */
import type { AwaitingApproval, Factors, WalletHealth } from '../../api/contract.ts';
import { MOST_UNATTRIBUTED } from '../../api/unattributed.ts';
import { capitalized } from '../../text/capitalized.ts';

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
  approvals: readonly Pick<AwaitingApproval, 'may_decide' | 'factor_required'>[] | undefined;
  factors: Pick<Factors, 'factors' | 'required_by_team'> | undefined;
  isPublic: boolean;
};

/** Returns what waits, the most urgent first. Empty when nothing does. */
export function toDo({ health, approvals = [], factors, isPublic }: Waiting): ToDo[] {
  const waiting: ToDo[] = [];
  const add = (is: boolean, to: ToDoPage, isUrgent: boolean, words: string) => {
    if (is) waiting.push({ words, to, isUrgent });
  };
  if (health) {
    const { reconciliation, webhooks, inbox } = health;
    const without = webhooks.failing + webhooks.disabled;
    add(!reconciliation.ok, '/wallets/$walletId/transactions', true, capitalized(reconciliation.message));
    add(
      without > 0,
      '/wallets/$walletId/developers',
      true,
      `${counted(without, 'endpoint')} without deliveries`,
    );
    const or_more = inbox.unattributed === MOST_UNATTRIBUTED ? ' or more' : '';
    const deposits = counted(inbox.unattributed, `unattributed deposit`, or_more);
    add(inbox.unattributed > 0, '/wallets/$walletId/inbox', false, deposits);
  }
  const to_decide = approvals.filter(
    ({ may_decide, factor_required }) => may_decide || factor_required,
  ).length;
  add(to_decide > 0, '/approvals', false, `${counted(to_decide, 'request')} to approve or reject`);
  const isMissing = factors?.factors.length === 0 && (isPublic || factors.required_by_team);
  add(isMissing, '/security', false, 'Your login has no second factor');
  return waiting;
}

/** `1 request`, `2 requests`. */
function counted(count: number, noun: string, or_more = ''): string {
  return count === 1 ? `1 ${noun}` : `${count}${or_more} ${noun}s`;
}
