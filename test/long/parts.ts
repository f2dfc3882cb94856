/**
 * Long tests beside `LONG_TESTS=1 npm test`, each in a process of its own. Recorded ledgers need none: `npm test` replays them
 * in full.
 */

export type Part = {
  name: string;
  what: string;
  /** Of Node. */
  args: string[];
  env: Record<string, string>;
  /** A part that takes longer is ended, and has failed. At least four times the time on an idle machine. */
  budget_s: number;
};

/** In minutes, for the parts that go on until their time is over. */
const MINUTES = { seeds: 2.5, variants: 2, chaos: 1.5, webhook_chaos: 1 };
/** Of an event and an endpoint. */
const PAIRS = 20_000;
/** Two cores. */
const JOBS = ['--jobs', '2'];
/** The tests of test/spec that depend on what stellar-rpc answers, by the beginnings of their names. */
const ON_RPC = [
  ...[
    'adjustments',
    'asset',
    'contract',
    'deposit',
    'gap',
    'inbox',
    'issuer',
    'older-rpc',
    'operations',
    'payouts',
  ],
  ...['reconciliation', 'respond', 'restored', 'stall', 'treasury', 'two-processes', 'wallets', 'withdraw'],
];

/** In the order in which they run. The same seed makes the same draws in each of them. */
export function partsOf(seed: string): Part[] {
  const draws = ['--seed', seed];
  return [
    {
      name: 'older-rpc',
      what: 'what depends on stellar-rpc, with the oldest one that the service can use',
      args: ['test/run.ts', ...ON_RPC.map((name) => `test/spec/${name}`)],
      env: { RPC_LIKE: '22' },
      budget_s: 1_800,
    },
    {
      name: 'seeds',
      what: `simulations of many seeds for ${MINUTES.seeds} minutes`,
      args: ['test/sim/run.ts', ...draws, '--seeds', '100000', '--minutes', `${MINUTES.seeds}`, ...JOBS],
      env: {},
      budget_s: (MINUTES.seeds + 12) * 60,
    },
    {
      name: 'variants',
      what: `a fault or a kill at every await of six scenarios, for at most ${MINUTES.variants} minutes`,
      args: ['test/sim/run.ts', ...draws, '--exhaustive', '--minutes', `${MINUTES.variants}`, ...JOBS],
      env: {},
      budget_s: (MINUTES.variants + 12) * 60,
    },
    {
      name: 'chaos',
      what: `three processes, their database and their network killed at random for ${MINUTES.chaos} minutes`,
      args: ['test/chaos/run.ts', ...draws, '--minutes', `${MINUTES.chaos}`],
      env: {},
      budget_s: (MINUTES.chaos + 15) * 60,
    },
    {
      name: 'upgrade',
      what: 'three processes replaced by a next version, that expands the schema, and by one that contracts it, under load, while the network gets protocol 30',
      args: ['test/chaos/run.ts', 'upgrade', ...draws],
      env: {},
      budget_s: 1_200,
    },
    {
      name: 'restore',
      what: 'the database backed up under load, destroyed, restored and compared with the ledger',
      args: ['test/chaos/run.ts', 'restore', ...draws],
      env: {},
      budget_s: 900,
    },
    {
      name: 'webhook-chaos',
      what: `three deliverers and their database killed at random, with ${PAIRS} events for endpoints`,
      args: [
        ...['test/chaos/run.ts', 'webhooks', ...draws],
        ...['--pairs', `${PAIRS}`, '--minutes', `${MINUTES.webhook_chaos}`],
      ],
      env: {},
      budget_s: (MINUTES.webhook_chaos + 15) * 60,
    },
  ];
}
