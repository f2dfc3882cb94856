/** What many runs came to with transfers to contracts, and with what the treasury paid for wallets. */
import { isToContract } from '../oracle/contract-checks.ts';
import type { Evidence } from '../oracle/evidence.ts';

export type TreasuryFigures = {
  /** Transfers to contracts. */
  contracts: Record<string, number>;
  /** Why they failed on the ledger, in words, and were refused, by codes. */
  contracts_not_paid: Record<string, number>;
  treasury: Record<string, number>;
};

export function noTreasuryFigures(): TreasuryFigures {
  return { contracts: {}, contracts_not_paid: {}, treasury: {} };
}

export function treasuryFigures(evidence: Evidence): TreasuryFigures {
  const { rows, calls } = evidence;
  const transfers = rows.filter(isToContract);
  const count = (fits: (row: (typeof rows)[number]) => boolean) => transfers.filter(fits).length;
  const failed = transfers.filter(({ status }) => status === 'failed');
  const refused = calls.flatMap(({ order, answer }) =>
    isToContract(order) && answer && answer.status >= 400 && answer.status !== 409 ? [answer.code] : [],
  );
  return {
    contracts: {
      paid_native: count(({ status, asset_issuer }) => status === 'confirmed' && asset_issuer === null),
      paid_issued: count(({ status, asset_issuer }) => status === 'confirmed' && asset_issuer !== null),
      failed: count(({ status, ledger }) => status === 'failed' && ledger !== null),
      expired: count(({ status, ledger }) => status === 'failed' && ledger === null),
      fee_bumped: count(({ stellar_tx_hash, inner_tx_hash }) => stellar_tx_hash !== inner_tx_hash),
      by_treasury: count(({ fee_paid_by }) => fee_paid_by === 'treasury'),
    },
    contracts_not_paid: countsOf([
      ...failed.map(({ failure_code, failure_message }) => `${failure_code} (${wordsOf(failure_message)})`),
      ...refused,
    ]),
    treasury: treasuryCounts(evidence),
  };
}

/** The reason is after what every trapped transfer says. */
function wordsOf(message: string | null): string {
  return message?.split(' now: ')[1] ?? message?.slice(0, 40) ?? 'nothing';
}

function treasuryCounts(evidence: Evidence): Record<string, number> {
  const { rows, trust_lines, calls, asset_calls, transactions, foreign, treasury } = evidence;
  const { pays } = treasury ?? { pays: null };
  const lines = transactions.flatMap(({ line_sponsors }) =>
    line_sponsors.filter(({ sponsor }) => sponsor !== null && sponsor === treasury?.account),
  );
  const by = (payer: string) =>
    [...rows, ...trust_lines].filter(({ fee_paid_by }) => fee_paid_by === payer).length;
  const refusedFor = (code: string) =>
    [...calls, ...asset_calls].filter(({ answer }) => answer?.code === code).length;
  return {
    seeds_that_pay: pays?.fees || pays?.reserves ? 1 : 0,
    seeds_that_change: pays === null ? 1 : 0,
    fees_by_treasury: by('treasury'),
    fees_by_wallet: by('wallet'),
    fees_by_channel: by('channel'),
    channels_filled: transactions.filter(
      (made) => made.source === treasury?.account && !foreign.includes(made.hash) && isFilling(made),
    ).length,
    fees_by_others: by('other'),
    lines_sponsored: lines.filter(({ made }) => made).length,
    lines_given_back: lines.filter(({ made }) => !made).length,
    unfunded: refusedFor('treasury_unfunded'),
    over_budget: refusedFor('treasury_budget_spent'),
  };
}

/** Of what the treasury sends itself, only fillings of channels pay to accounts that are there. */
function isFilling({ payments, successful }: Evidence['transactions'][number]) {
  return successful && payments.length > 0 && payments.every(({ creates }) => !creates);
}

export function countsOf(names: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names.toSorted()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
