/** The tables of the withdrawals bench: measurements, the limit of the ledgers, and the goals. */
import { markdown, median, quantile } from './measure.ts';
import type { ChannelFees } from './withdrawals-world.ts';

export type Measured = {
  /** From the ledger in which the round began until the last confirmation. */
  ledgers: number;
  /** How many ledgers contain at least one of the withdrawals. */
  holding: number;
  latency_ledgers: number[];
  latency_seconds: number[];
  /** User and system time per withdrawal. */
  cpu_ms: number;
  /** The same of the database server; null where there is none. */
  database_cpu_ms: number | null;
  /** Requests to the network per withdrawal, by method. */
  requests: Map<string, number>;
  longest_block_ms: number;
  peak_mib: number;
  /** Withdrawals that were not confirmed, by their answer. */
  refusals: Map<string, number>;
};

export type Case = {
  who: 'service' | 'SDK loop';
  /** 0: the wallet's own account is the only source of sequence numbers. */
  channels: number;
  fees: ChannelFees;
  count: number;
  rounds: Measured[];
};

/** A fee-bump counts as one more operation (CAP-15; stellar-core, FeeBumpTransactionFrame::getNumOperations). */
const OPERATIONS_OF_A_FEE_BUMPED_PAYMENT = 2;

const GOALS: { channels: number; fees: ChannelFees; ledgers: number }[] = [
  { channels: 400, fees: 'channel', ledgers: 3 },
  { channels: 100, fees: 'channel', ledgers: 11 },
  { channels: 100, fees: 'wallet', ledgers: 11 },
];
const GOAL_REQUESTS = 1.1;
const GOAL_CPU_MS = 1;
const GOAL_BLOCK_MS = 100;
const GOAL_PEAK_MIB = 300;

export function report(cases: Case[], operations: number): string {
  return [figures(cases, operations), requests(cases), goals(cases)].join('\n\n');
}

function figures(cases: Case[], operations: number): string {
  const rows = cases.map((each) => {
    const { rounds, count } = each;
    const all = (key: 'latency_ledgers' | 'latency_seconds') => rounds.flatMap((round) => round[key]);
    const confirmed = all('latency_ledgers').length;
    return [
      nameOf(each),
      `${confirmed / rounds.length} of ${count}`,
      `${of(each, 'ledgers')}${each.channels === 0 ? ` (1,000: ${ofThousand(each)})` : ''}`,
      floorOf(each, operations),
      of(each, 'holding'),
      `${quantile(all('latency_ledgers'), 0.5)} / ${quantile(all('latency_ledgers'), 0.99)}`,
      `${quantile(all('latency_seconds'), 0.5).toFixed(1)} / ${quantile(all('latency_seconds'), 0.99).toFixed(1)} s`,
      `${of(each, 'cpu_ms').toFixed(2)} ms`,
      databaseCpuOf(each),
      median(rounds.map(requestsOf)).toFixed(2),
      `${worst(each, 'longest_block_ms').toFixed(0)} ms`,
      `${worst(each, 'peak_mib').toFixed(0)} MiB`,
    ];
  });
  const head = ['', 'confirmed', 'ledgers', 'floor', 'holding any', 'p50 / p99 ledgers', 'p50 / p99'];
  return markdown(
    [...head, 'CPU each', 'of PostgreSQL', 'requests each', 'longest block', 'peak memory'],
    rows,
  );
}

function requests(cases: Case[]): string {
  const rows = cases.map((each) => {
    const methods = new Set(each.rounds.flatMap((round) => [...round.requests.keys()]));
    const ofMethod = (method: string) => median(each.rounds.map((round) => round.requests.get(method) ?? 0));
    const sorted = [...methods].sort((a, b) => ofMethod(b) - ofMethod(a));
    const refused = each.rounds.flatMap((round) => [...round.refusals].map(([why, n]) => `${n} × ${why}`));
    return [
      nameOf(each),
      sorted.map((method) => `${method} ${ofMethod(method).toFixed(3)}`).join(', '),
      refused.join(', '),
    ];
  });
  return markdown(['', 'requests to the network for each withdrawal', 'not confirmed'], rows);
}

function goals(cases: Case[]): string {
  const ours = cases.filter(({ who, channels }) => who === 'service' && channels > 0);
  const goal = (what: string, wanted: number, found: number, unit: string) => [
    what,
    `≤ ${wanted}${unit}`,
    `${Number(found.toFixed(2))}${unit}`,
    found <= wanted ? 'met' : 'missed',
  ];
  const rows = ours.flatMap((each) => [
    ...GOALS.filter((goal) => goal.channels === each.channels && goal.fees === each.fees).map(({ ledgers }) =>
      goal(`ledgers, ${nameOf(each)}`, ledgers, of(each, 'ledgers'), ''),
    ),
    goal(`requests each, ${nameOf(each)}`, GOAL_REQUESTS, median(each.rounds.map(requestsOf)), ''),
    goal(`CPU each, ${nameOf(each)}`, GOAL_CPU_MS, of(each, 'cpu_ms'), ' ms'),
    goal(`longest block, ${nameOf(each)}`, GOAL_BLOCK_MS, worst(each, 'longest_block_ms'), ' ms'),
    goal(`peak memory, ${nameOf(each)}`, GOAL_PEAK_MIB, worst(each, 'peak_mib'), ' MiB'),
  ]);
  return markdown(['goal', 'wanted', 'measured', ''], rows);
}

/** The fewest ledgers that can contain all withdrawals. The service also pays from the wallet's own account, without fee-bump. */
function floorOf({ who, channels, fees, count }: Case, operations: number): number {
  const own = who === 'service' || channels === 0 ? 1 : 0;
  const room = Math.floor((operations - own) / (fees === 'channel' ? 1 : OPERATIONS_OF_A_FEE_BUMPED_PAYMENT));
  return Math.ceil(count / (own + Math.min(channels, room)));
}

export function nameOf({ who, channels, fees }: Pick<Case, 'who' | 'channels' | 'fees'>): string {
  return `${who}, ${channels === 0 ? 'no' : channels} channels${fees === 'channel' ? ' that pay' : ''}`;
}

function of({ rounds }: Case, key: 'ledgers' | 'holding' | 'cpu_ms'): number {
  return median(rounds.map((round) => round[key]));
}

function databaseCpuOf({ rounds }: Case): string {
  const measured = rounds.flatMap(({ database_cpu_ms }) => database_cpu_ms ?? []);
  return measured.length === 0 ? '' : `${median(measured).toFixed(2)} ms`;
}

function worst({ rounds }: Case, key: 'longest_block_ms' | 'peak_mib'): number {
  return Math.max(...rounds.map((round) => round[key]));
}

function ofThousand(each: Case): string {
  return Math.round((of(each, 'ledgers') / each.count) * 1000).toLocaleString('en');
}

function requestsOf(round: Measured): number {
  return [...round.requests.values()].reduce((sum, times) => sum + times, 0);
}
