/** Collects the evidence: the rows of the database, beside what clients, receivers and the ledger know. */
import { showWithdrawal } from '../../src/withdrawals/answers/schema.ts';
import type { ApprovalEvidence } from './approval-evidence.ts';
import type { Ask } from './ask.ts';
import type { ReturnedAddress } from './deposit-evidence.ts';
import type { Budgeted, Evidence, PaidFee, ShownWithdrawal } from './evidence.ts';
import type { PayoutEvidence } from './payout-evidence.ts';
import { readAudit } from './read-audit.ts';
import { readChoices } from './read-choices.ts';
import { readWrongDays } from './read-days.ts';
import { readDeposits } from './read-deposits.ts';
import { readPayouts } from './read-payouts.ts';
import { decidedIn, readApprovals } from './watch-approvals.ts';

/** What the network has for an account now. */
export type AccountState = Pick<Evidence['wallets'][number], 'balance_stroops' | 'issued'> & {
  /** Null when there is no such account. */
  sequence: bigint | null;
};

/** What is known without the database. */
export type Witnesses = Omit<
  Evidence,
  | 'wallets'
  | 'rows'
  | 'trust_lines'
  | 'adjustments'
  | 'tx_sources'
  | 'reconciliations'
  | 'wrong_days'
  | 'deposits'
  | 'choices'
  | 'audit'
  | 'approvals'
  | 'payouts'
  | 'channels'
> & {
  /** What was asked of payouts, and shown of them. */
  paying: Pick<PayoutEvidence, 'uploads' | 'calls' | 'shown'>;
  /** Of what approvals are about. */
  approving: Omit<ApprovalEvidence, 'steps' | 'changes'>;
  returned_addresses: ReturnedAddress[];
  /** Of the native asset, by account, before anything was read; 0 for those that are not in it. */
  opening: Map<string, bigint>;
  /** Whether every wallet's books were compared after the last event. */
  compared: boolean;
  accountState(account: string): Promise<AccountState>;
};

export async function readEvidence(ask: Ask, witnesses: Witnesses): Promise<Evidence> {
  const { returned_addresses, opening, compared, approving, paying, accountState, ...known } = witnesses;
  const deposits = await readDeposits(ask, returned_addresses);
  const all = await ask('select * from withdrawals order by id');
  const rows = all.filter(({ amount_stroops }) => BigInt(amount_stroops) > 0n);
  const trust_lines = all.filter(({ amount_stroops }) => BigInt(amount_stroops) === 0n);
  const tx_sources = await ask(
    'select account, withdrawal_id, last_sequence, blocked_reason from tx_sources order by account',
  );
  const adjustments = await ask(
    'select * from adjustments order by ledger, stellar_tx_hash, operation_index, event_index',
  );
  const compared_books = await ask(
    'select wallet_id, asset_code, asset_issuer, difference_stroops, ledger from reconciliations order by 1, 2, 3',
  );

  return {
    ...known,
    deposits,
    choices: await readChoices(ask),
    payouts: await readPayouts(ask, paying),
    approvals: await readApprovals(ask, approving),
    audit: await readAudit(ask, !known.restored),
    wallets: await Promise.all(
      deposits.wallets.map(async ({ id, account }) => {
        const { balance_stroops, issued } = await accountState(account);
        return { id, account, opening_stroops: opening.get(account) ?? 0n, balance_stroops, issued };
      }),
    ),
    rows: rows.map((row) => ({
      ...row,
      ...(showWithdrawal(row) as ShownWithdrawal),
      decided: decidedIn(row.approvals),
      approval_ends_ms: row.approval_expires_at?.getTime() ?? null,
      state: row.status,
      payout_id: row.payout_id ?? null,
      payout_row: row.payout_row ?? null,
      ...chargedIn(row),
      ...budgetedIn(row),
    })),
    adjustments: adjustments.map((row) => ({ ...row, amount_stroops: BigInt(row.amount_stroops) }) as any),
    trust_lines: trust_lines.map((row) => ({
      ...row,
      ...chargedIn(row),
      ...budgetedIn(row),
    })) as Evidence['trust_lines'],
    tx_sources: await Promise.all(
      tx_sources.map(async (tx_source) => ({
        ...(tx_source as Omit<Evidence['tx_sources'][number], 'sequence'>),
        sequence: (await accountState(tx_source.account)).sequence,
      })),
    ),
    wrong_days: await readWrongDays(ask),
    channels: (await ask('select account from channels')).map(({ account }) => account as string),
    reconciliations: compared
      ? compared_books.map((row) => ({ ...row, difference_stroops: BigInt(row.difference_stroops) }) as any)
      : null,
  };
}

/** As the table has it. */
function chargedIn({ fee_paid_by, fee_charged_stroops: charged }: any): PaidFee {
  return { fee_paid_by, fee_charged_stroops: charged === null ? null : BigInt(charged) };
}

function budgetedIn({ owner_id, treasury_stroops, approved_at, created_at }: any): Budgeted {
  return {
    owner_id,
    treasury_stroops: treasury_stroops === null ? null : BigInt(treasury_stroops),
    counted_ms: (approved_at ?? created_at).getTime(),
  };
}
