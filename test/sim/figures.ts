/** What many runs came to. */
import { expectedDeposits } from '../oracle/deposit-checks.ts';
import type { Evidence } from '../oracle/evidence.ts';
import { type ApprovalFigures, approvalFigures, noApprovalFigures } from './approval-figures.ts';
import { type AssetFigures, assetFigures, noAssetFigures } from './asset-figures.ts';
import { noPayoutFigures, type PayoutFigures, payoutFigures } from './payout-figures.ts';
import type { Report } from './simulated-service.ts';
import { noTreasuryFigures, type TreasuryFigures, treasuryFigures } from './treasury-figures.ts';
import { noWebhookFigures, type WebhookFigures, webhookFigures } from './webhook-figures.ts';

export type Figures = {
  seeds: number;
  simulated_ms: number;
  calls: number;
  withdrawals: { confirmed: number; failed: number; expired: number; undecided: number };
  /** Withdrawals of issued assets, and changes of trust lines. */
  assets: AssetFigures;
  treasury: TreasuryFigures;
  /** Of what needs approvals. */
  approvals: ApprovalFigures;
  payouts: PayoutFigures;
  /** Payments out of wallets that the ledger applied, failed ones with them. */
  applied: number;
  /** What the ledger paid to wallets, by kind. */
  credits: Record<string, number>;
  deposits: Deposits;
  webhooks: WebhookFigures;
  faults: Record<string, number>;
  violations: string[];
};

type Deposits = {
  recorded: number;
  attributed: number;
  assigned: number;
  refunded: number;
  events: number;
  deliveries: number;
  /** Of the cursor. */
  moves: number;
  takeovers: number;
  overtaken: number;
};

export function noFigures(): Figures {
  const withdrawals = { confirmed: 0, failed: 0, expired: 0, undecided: 0 };
  const deposits = {
    recorded: 0,
    attributed: 0,
    assigned: 0,
    refunded: 0,
    events: 0,
    deliveries: 0,
    moves: 0,
    takeovers: 0,
    overtaken: 0,
  };
  return {
    seeds: 0,
    simulated_ms: 0,
    calls: 0,
    withdrawals,
    assets: noAssetFigures(),
    treasury: noTreasuryFigures(),
    approvals: noApprovalFigures(),
    payouts: noPayoutFigures(),
    applied: 0,
    credits: {},
    deposits,
    webhooks: noWebhookFigures(),
    faults: {},
    violations: [],
  };
}

export function figuresOf({ seed, evidence, tally, leadership, simulated_ms, violations }: Report): Figures {
  const { rows, transactions, wallets, calls } = evidence;
  const own = new Set(wallets.map(({ account }) => account));
  const count = (fits: (row: (typeof rows)[number]) => boolean) => rows.filter(fits).length;
  return {
    seeds: 1,
    simulated_ms,
    calls: calls.length,
    withdrawals: {
      confirmed: count(({ status }) => status === 'confirmed'),
      failed: count(({ status, failure_code }) => status === 'failed' && failure_code !== 'expired'),
      expired: count(({ failure_code }) => failure_code === 'expired'),
      undecided: count(({ status }) => status === 'pending'),
    },
    assets: assetFigures(evidence),
    treasury: treasuryFigures(evidence),
    approvals: approvalFigures(evidence),
    payouts: payoutFigures(evidence),
    applied: transactions.filter(({ payments }) => payments.some(({ source }) => own.has(source))).length,
    ...depositFigures(evidence, leadership),
    webhooks: webhookFigures(evidence.webhooks),
    faults: Object.fromEntries(tally.entries()),
    violations: violations.map((violation) => `seed ${seed}: ${violation}`),
  };
}

function depositFigures(
  evidence: Evidence,
  leadership: Report['leadership'],
): Pick<Figures, 'credits' | 'deposits'> {
  const { rows, events, deliveries, moves } = evidence.deposits;
  const credits: Record<string, number> = {};
  for (const { kind } of expectedDeposits(evidence).values()) credits[kind] = (credits[kind] ?? 0) + 1;
  const deposits = {
    recorded: rows.length,
    attributed: rows.filter(({ attributed }) => attributed).length,
    assigned: rows.filter(({ assigned_by_hand }) => assigned_by_hand).length,
    refunded: evidence.rows.filter(({ refund_of, status }) => refund_of !== null && status === 'confirmed')
      .length,
    events: events.length,
    deliveries: deliveries.length,
    moves: moves.length,
    ...leadership,
  };
  return { credits, deposits };
}

export function sumOf(a: Figures, b: Figures): Figures {
  return {
    seeds: a.seeds + b.seeds,
    simulated_ms: a.simulated_ms + b.simulated_ms,
    calls: a.calls + b.calls,
    withdrawals: added(a.withdrawals, b.withdrawals) as Figures['withdrawals'],
    assets: {
      counts: added(a.assets.counts, b.assets.counts),
      reasons: added(a.assets.reasons, b.assets.reasons),
      answers: added(a.assets.answers, b.assets.answers),
    },
    treasury: {
      contracts: added(a.treasury.contracts, b.treasury.contracts),
      contracts_not_paid: added(a.treasury.contracts_not_paid, b.treasury.contracts_not_paid),
      treasury: added(a.treasury.treasury, b.treasury.treasury),
    },
    approvals: {
      steps: added(a.approvals.steps, b.approvals.steps),
      answers: added(a.approvals.answers, b.approvals.answers),
    },
    payouts: {
      payouts: added(a.payouts.payouts, b.payouts.payouts),
      rows: added(a.payouts.rows, b.payouts.rows),
      answers: added(a.payouts.answers, b.payouts.answers),
    },
    applied: a.applied + b.applied,
    credits: added(a.credits, b.credits),
    deposits: added(a.deposits, b.deposits) as Deposits,
    webhooks: added(a.webhooks, b.webhooks) as WebhookFigures,
    faults: added(a.faults, b.faults),
    violations: [...a.violations, ...b.violations],
  };
}

function added(a: Record<string, number>, b: Record<string, number>): Record<string, number> {
  const sum = { ...a };
  for (const [name, count] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}

const KINDS: [string, RegExp][] = [
  ['simulating', /^simulating_/],
  ['reading', /^reading_/],
  ['delivering', /^delivering_/],
  ['database', /^db_/],
  ['kills', /^kill_/],
  ['world', /^world_/],
  ['network', /./],
];

export function show(figures: Figures): string {
  const {
    seeds,
    simulated_ms,
    calls,
    withdrawals,
    applied,
    assets,
    treasury,
    approvals,
    payouts,
    credits,
    deposits,
    webhooks,
    faults,
    violations,
  } = figures;
  const total = (counts: Record<string, number>) =>
    Object.values(counts).reduce((sum, count) => sum + count, 0);
  const byKind = Object.groupBy(
    Object.entries(faults),
    ([name]) => KINDS.find(([, mark]) => mark.test(name))?.[0] ?? '',
  );
  const lines = KINDS.map(([kind]) => {
    const counts = Object.fromEntries(byKind[kind] ?? []);
    return `  ${kind}: ${total(counts)} (${listed(counts)})`;
  });
  return [
    `${seeds} seeds, ${(simulated_ms / 3_600_000).toFixed(1)} simulated hours, ${calls} calls`,
    `${total(withdrawals)} withdrawals: ${listed(withdrawals)}; ${applied} transactions in the ledger`,
    `issued assets: ${listed(assets.counts)}`,
    `  not paid: ${listed(assets.reasons)}`,
    `  trust lines: ${listed(assets.answers)}`,
    `transfers to contracts: ${listed(treasury.contracts)}`,
    `  not paid: ${listed(treasury.contracts_not_paid)}`,
    `treasury: ${listed(treasury.treasury)}`,
    `approvals: ${listed(approvals.steps)}`,
    `  answers: ${listed(approvals.answers)}`,
    `payouts: ${listed(payouts.payouts)}`,
    `  rows: ${listed(payouts.rows)}`,
    `  answers: ${listed(payouts.answers)}`,
    `${total(credits)} credits: ${listed(credits)}`,
    `deposits: ${listed(deposits)}`,
    `webhooks: ${listed(webhooks)}`,
    `${total(faults)} faults injected:`,
    ...lines,
    `${violations.length} violations`,
  ].join('\n');
}

function listed(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
