/** `npm run bench -- NAME [--rounds N] …`: prints a table of figures, each beside a ceiling of the same run. */
import { parseArgs } from 'node:util';
import { benchAssets } from './assets.ts';
import { benchCatchUp } from './catch-up.ts';
import { benchClaims } from './claims.ts';
import { benchDashboard } from './dashboard.ts';
import { benchGrowth } from './growth.ts';
import { benchKeys } from './keys.ts';
import { benchLatency } from './latency.ts';
import { benchMetrics } from './metrics.ts';
import { benchNeighbours } from './neighbours.ts';
import { benchPayouts } from './payouts.ts';
import { benchProcesses } from './processes.ts';
import { benchReads } from './reads.ts';
import { benchSandbox } from './sandbox.ts';
import { benchSmall } from './small.ts';
import { benchWebhooks } from './webhooks.ts';
import { benchWithdrawals } from './withdrawals.ts';

const USAGE = `npm run bench -- sandbox [--rounds 7]
npm run bench -- catch-up [--rounds 5] [--ledgers 150]
npm run bench -- withdrawals [--rounds 3] [--channels 400,100,0] [--withdrawals 1000] [--operations 340] [--close-ms 5000]
npm run bench -- assets [--rounds 5] [--channels 100] [--withdrawals 1000] [--operations 340] [--close-ms 5000] [--ledgers 150]
npm run bench -- claims [--rounds 7]
npm run bench -- keys [--rounds 9]
npm run bench -- latency [--seconds 60] [--close-ms 1000]
npm run bench -- metrics [--rounds 9]
npm run bench -- webhooks [--rounds 5] [--deliveries 15000]
npm run bench -- dashboard [--rounds 9] [--rows 100000]
npm run bench -- growth [--rounds 15] [--wallets 10000] [--rows 1000000] [--withdrawals 200]
npm run bench -- neighbours [--rounds 3] [--withdrawals 10]
npm run bench -- reads [--rounds 5] [--requests 5000]
npm run bench -- small [--rounds 5]
npm run bench -- processes [--rounds 3] [--requests 5000] [--withdrawals 400] [--deliveries 15000]
npm run bench -- payouts [--rows 10000] [--channels 400] [--withdrawals 10] [--operations 340] [--close-ms 5000]`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    ledgers: { type: 'string', default: '150' },
    channels: { type: 'string' },
    withdrawals: { type: 'string' },
    wallets: { type: 'string', default: '10000' },
    deliveries: { type: 'string', default: '15000' },
    rows: { type: 'string' },
    operations: { type: 'string', default: '340' },
    'close-ms': { type: 'string' },
    requests: { type: 'string', default: '5000' },
    seconds: { type: 'string', default: '60' },
  },
});

const BENCHES: Record<string, () => Promise<void>> = {
  sandbox: () => benchSandbox(count(values.rounds ?? '7')),
  'catch-up': () => benchCatchUp({ rounds: count(values.rounds ?? '5'), ledgers: count(values.ledgers) }),
  withdrawals: () =>
    benchWithdrawals({
      rounds: count(values.rounds ?? '3'),
      channels: (values.channels ?? '400,100,0').split(',').map((text) => (text === '0' ? 0 : count(text))),
      withdrawals: count(values.withdrawals ?? '1000'),
      operations: count(values.operations),
      close_ms: count(values['close-ms'] ?? '5000'),
    }),
  assets: () =>
    benchAssets({
      rounds: count(values.rounds ?? '5'),
      channels: count(values.channels ?? '100'),
      withdrawals: count(values.withdrawals ?? '1000'),
      operations: count(values.operations),
      close_ms: count(values['close-ms'] ?? '5000'),
      ledgers: count(values.ledgers),
    }),
  keys: () => benchKeys({ rounds: count(values.rounds ?? '9') }),
  latency: () =>
    benchLatency({ seconds: count(values.seconds), close_ms: count(values['close-ms'] ?? '1000') }),
  claims: () => benchClaims({ rounds: count(values.rounds ?? '7') }),
  metrics: () => benchMetrics({ rounds: count(values.rounds ?? '9') }),
  webhooks: () =>
    benchWebhooks({ rounds: count(values.rounds ?? '5'), deliveries: count(values.deliveries) }),
  dashboard: () =>
    benchDashboard({ rounds: count(values.rounds ?? '9'), rows: count(values.rows ?? '100000') }),
  growth: () =>
    benchGrowth({
      rounds: count(values.rounds ?? '15'),
      wallets: count(values.wallets),
      deposits: count(values.rows ?? '1000000'),
      withdrawals: count(values.withdrawals ?? '200'),
    }),
  neighbours: () =>
    benchNeighbours({
      rounds: count(values.rounds ?? '3'),
      withdrawals: count(values.withdrawals ?? '10'),
    }),
  reads: () => benchReads({ rounds: count(values.rounds ?? '5'), requests: count(values.requests) }),
  processes: () =>
    benchProcesses({
      rounds: count(values.rounds ?? '3'),
      requests: count(values.requests),
      withdrawals: count(values.withdrawals ?? '400'),
      deliveries: count(values.deliveries),
    }),
  small: () => benchSmall({ rounds: count(values.rounds ?? '5') }),
  payouts: () =>
    benchPayouts({
      rows: count(values.rows ?? '10000'),
      channels: count(values.channels ?? '400'),
      withdrawals: count(values.withdrawals ?? '10'),
      operations: count(values.operations),
      close_ms: count(values['close-ms'] ?? '5000'),
    }),
};

const [name = ''] = positionals;
const bench = BENCHES[name];
if (bench === undefined) usage();
await bench();

function count(text: string): number {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : usage();
}

function usage(): never {
  console.error(USAGE);
  process.exit(1);
}
