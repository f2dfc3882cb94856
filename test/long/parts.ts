/**
 * What takes long, in parts that are dealt into six shares: `.ci/run` runs one share, so the shares must take about equally
 * long. Recorded ledgers need no part: `npm test` replays them in full.
 */
import { LONG_FILES, ROTATING, testFiles } from '../files.ts';

export const SHARES = [1, 2, 3, 4, 5, 6] as const;
export type Share = (typeof SHARES)[number];

export type Part = {
  name: string;
  what: string;
  share: Share;
  /** For a part that runs the long form of test files: those files, which `args` end with. */
  files?: string[];
  /** The arguments of Node. */
  args: string[];
  env: Record<string, string>;
  /** A part that takes longer is ended, and has failed. At least four times the time on an idle machine. */
  budget_s: number;
};

/** In minutes, for the parts that go on until their time is over. */
const MINUTES = { seeds: 2.5, variants: 2, chaos: 1.5, webhook_chaos: 1 };
/** Pairs of an event and an endpoint. */
const PAIRS = 20_000;
/** Two cores. */
const JOBS = ['--jobs', '2'];
/** The long form of test files: more variants than `npm test` tries, or files that it leaves out. */
const LONG_FORMS: (Pick<Part, 'name' | 'what' | 'share'> & { files: RegExp })[] = [
  {
    name: 'operators',
    share: 3,
    files: new RegExp(
      `${LONG_FILES.operators.source}|${ROTATING.upgrade.files.source}|^test/packages/systemd\\.`,
    ),
    what: 'backups, restores, key providers, key rotation, also under systemd, traces and upgrades, in the words of the operator’s documents',
  },
  {
    name: 'steps',
    share: 4,
    files: /^test\/crash\/kill-at-each/,
    what: 'a kill at each step of a payment, in every variant',
  },
  {
    name: 'kills',
    share: 4,
    files: /^test\/crash\/(kill-at-random|network-upgrade)/,
    what: 'many kills at random, and an upgrade of the network with many withdrawals in flight',
  },
  {
    name: 'broken-services',
    share: 6,
    files: /^test\/sim\/broken-/,
    what: 'simulations that notice each of the broken services',
  },
  {
    name: 'simulation',
    share: 6,
    files: /^test\/sim\/(simulation|falsified-evidence)\.test/,
    what: 'a seed for each part of the service, and every falsification of the evidence',
  },
  {
    name: 'lies',
    share: 5,
    files: ROTATING.lies.files,
    what: 'false answers of the network, a killed database, and several processes that are killed',
  },
  {
    name: 'outages',
    share: 2,
    files: ROTATING.outages.files,
    what: 'a database that refuses, a restored one, a stalled network, the oldest RPC, and a treasury that is switched off',
  },
  {
    name: 'calls',
    share: 4,
    files: /^src\/withdrawals\/(engine\/key-provider-faults|channels\/(fill-)?channels)\.test/,
    what: 'every fault at each call of a key provider, and at each call that makes or fills channels',
  },
];
const LONG_FORM_BUDGET_S = 2_400;

/** In the order in which they run. The same seed makes the same draws in each of them. */
export function partsOf(seed: string): Part[] {
  const draws = ['--seed', seed];
  const all = testFiles({ long: true });
  return [
    ...LONG_FORMS.map((form) => {
      const files = all.filter((file) => form.files.test(file));
      const [args, env] = [['test/run.ts', ...files], { LONG_TESTS: '1', SEED: seed }];
      return { ...form, files, args, env, budget_s: LONG_FORM_BUDGET_S };
    }),
    {
      name: 'seeds',
      share: 1,
      what: `simulations of many seeds for ${MINUTES.seeds} minutes`,
      args: ['test/sim/run.ts', ...draws, '--seeds', '100000', '--minutes', `${MINUTES.seeds}`, ...JOBS],
      env: {},
      budget_s: (MINUTES.seeds + 12) * 60,
    },
    {
      name: 'variants',
      share: 1,
      what: `a fault or a kill at every await of six scenarios, for at most ${MINUTES.variants} minutes`,
      args: ['test/sim/run.ts', ...draws, '--exhaustive', '--minutes', `${MINUTES.variants}`, ...JOBS],
      env: {},
      budget_s: (MINUTES.variants + 12) * 60,
    },
    {
      name: 'chaos',
      share: 5,
      what: `three processes, their database and their network killed at random for ${MINUTES.chaos} minutes`,
      args: ['test/chaos/run.ts', ...draws, '--minutes', `${MINUTES.chaos}`],
      env: {},
      budget_s: (MINUTES.chaos + 15) * 60,
    },
    {
      name: 'upgrade',
      share: 2,
      what: 'three processes replaced by a next version, that expands the schema, and by one that contracts it, under load, while the network gets protocol 30',
      args: ['test/chaos/run.ts', 'upgrade', ...draws],
      env: {},
      budget_s: 2_400,
    },
    {
      name: 'restore',
      share: 5,
      what: 'the database backed up under load, destroyed, restored and compared with the ledger',
      args: ['test/chaos/run.ts', 'restore', ...draws],
      env: {},
      budget_s: 900,
    },
    {
      name: 'webhook-chaos',
      share: 3,
      what: `three deliverers and their database killed at random, with ${PAIRS} events for endpoints`,
      args: [
        'test/chaos/run.ts',
        'webhooks',
        ...draws,
        '--pairs',
        `${PAIRS}`,
        '--minutes',
        `${MINUTES.webhook_chaos}`,
      ],
      env: {},
      budget_s: (MINUTES.webhook_chaos + 15) * 60,
    },
  ];
}
