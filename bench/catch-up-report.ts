/** The tables of the catch-up bench: measurements and goals. */
import type { ReadRound } from './catch-up-reader.ts';
import { markdown, median, percent, rounded } from './measure.ts';

export type CatchUpCase = { name: string; rounds: ReadRound[] };

/** The compared cases. */
export type CatchUpCases = {
  transactions: CatchUpCase;
  ledgers: CatchUpCase;
  service: CatchUpCase;
  plain: CatchUpCase;
  /** The service again, with one paid wallet. The first case has no other wallet or address. */
  sizes: CatchUpCase[];
};

const GOAL_OF_TRANSACTIONS = 0.5;
const GOAL_OF_PLAIN = 10;
const GOAL_OF_FLAT = 0.9;

export function report({ transactions, ledgers, service, plain, sizes }: CatchUpCases): string {
  const [smallest, ...larger] = sizes;
  const goal = (name: string, wanted: number | null, share: number) => [
    name,
    wanted === null ? '' : `≥ ${wanted}`,
    share.toFixed(2),
    wanted === null ? '' : share >= wanted ? 'met' : 'missed',
  ];
  const share = (of: CatchUpCase, one: CatchUpCase) => median(rates(of)) / median(rates(one));
  return [
    figures([transactions, ledgers, service, plain, ...sizes], transactions),
    markdown(
      ['the service beside', 'wanted', 'measured', ''],
      [
        goal(transactions.name, GOAL_OF_TRANSACTIONS, share(service, transactions)),
        goal(ledgers.name, null, share(service, ledgers)),
        goal(plain.name, GOAL_OF_PLAIN, share(service, plain)),
        ...larger.map((each) =>
          goal(`${each.name}, beside ${smallest?.name}`, GOAL_OF_FLAT, share(each, smallest ?? each)),
        ),
      ],
    ),
  ].join('\n\n');
}

function figures(cases: CatchUpCase[], ceiling: CatchUpCase): string {
  const rows = cases.map((each) => {
    const of = rates(each);
    return [
      each.name,
      `${rounded(median(of))} ledgers/s`,
      `${rounded(Math.min(...of))} – ${rounded(Math.max(...of))}`,
      percent(median(of) / median(rates(ceiling))),
      `${rounded(median(each.rounds.map(({ cpu_ms, ledgers }) => cpu_ms / ledgers)))} ms`,
      `${rounded(Math.max(...each.rounds.map(({ peak_mib }) => peak_mib)))} MiB`,
    ];
  });
  return markdown(['', 'median', 'range', `of ${ceiling.name}`, 'CPU for a ledger', 'peak memory'], rows);
}

function rates({ rounds }: CatchUpCase): number[] {
  return rounds.map(({ ledgers, seconds }) => ledgers / seconds);
}
