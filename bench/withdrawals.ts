/** Measures how fast the service confirms withdrawals of one wallet, and the cost of each, beside a plain SDK loop. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { countRequests } from './count-requests.ts';
import { machine } from './measure.ts';
import { cpuMs, peakMib } from './process-usage.ts';
import { type Round, withdrawAtOnce } from './withdrawals-load.ts';
import { type Case, type Measured, nameOf, report } from './withdrawals-report.ts';
import type { SdkOrder, SdkRound } from './withdrawals-sdk.ts';
import {
  type BenchNetwork,
  type BenchService,
  type ChannelFees,
  type Databases,
  startBenchService,
  startDatabases,
  startNetwork,
} from './withdrawals-world.ts';

export type WithdrawalsOptions = {
  rounds: number;
  /** Requested at once in cases with channels. */
  withdrawals: number;
  /** One case for each. */
  channels: number[];
  /** Most operations in a ledger. */
  operations: number;
  /** Time between ledgers. */
  close_ms: number;
};

/** One case of the service for each. */
const FEES: ChannelFees[] = ['wallet', 'channel'];
/** Without channels each withdrawal takes a ledger: so many end before the requests time out. */
const ONE_BY_ONE = 10;

export async function benchWithdrawals(options: WithdrawalsOptions): Promise<void> {
  // Ctrl-C ends the service and the sandbox and so the round; then the database is stopped below.
  process.on('SIGINT', () => undefined);
  const databases = await startDatabases();
  const cases: Case[] = [];
  try {
    for (const channels of options.channels) cases.push(...(await measureCase(databases, channels, options)));
  } finally {
    await databases.stop();
  }
  const { rounds, operations, close_ms } = options;
  console.log(
    `${machine()}; ${rounds} rounds after one to warm up; ${operations} operations in a ledger, one every ${close_ms / 1000} s\n`,
  );
  console.log(report(cases, operations));
}

/** Measures the service and then the SDK loop, on a network of their own. */
async function measureCase(
  databases: Databases,
  channels: number,
  options: WithdrawalsOptions,
): Promise<Case[]> {
  const { close_ms, operations, rounds } = options;
  const count = channels === 0 ? ONE_BY_ONE : options.withdrawals;
  const network = await startNetwork({ close_ms, max_operations: operations });
  const measure = async (
    { who, fees }: Pick<Case, 'who' | 'fees'>,
    round: () => Promise<Measured>,
  ): Promise<Case> => {
    const name = nameOf({ who, fees, channels });
    const measured: Measured[] = [];
    for (let number = 0; number <= rounds; number++) {
      const result = await round();
      console.error(`${name}, ${number === 0 ? 'warm-up' : `round ${number}`}: ${result.ledgers} ledgers`);
      if (number > 0) measured.push(result);
    }
    return { who, fees, channels, count, rounds: measured };
  };
  try {
    const cases: Case[] = [];
    for (const fees of channels === 0 ? (['wallet'] as const) : FEES) {
      const database_url = await databases.create();
      const { rpc_url } = network;
      const bench = await startBenchService({ database_url, rpc_url, channels, channel_fees: fees });
      const round = () => serviceRound(network, bench, { count, databases });
      cases.push(await measure({ who: 'service', fees }, round).finally(bench.stop));
    }
    const peer = await startSdkLoop(network.rpc_url, channels);
    const round = () => peer.round(count);
    return [...cases, await measure({ who: 'SDK loop', fees: 'wallet' }, round).finally(peer.stop)];
  } finally {
    await network.stop();
  }
}

async function serviceRound(
  network: BenchNetwork,
  bench: BenchService,
  { count, databases }: { count: number; databases: Databases },
): Promise<Measured> {
  const { service, requests, token, wallet_id } = bench;
  const { rpc_url, root_account: destination } = network;
  await bench.takeLongestBlock();
  requests.take();
  const before_ms = cpuMs(service.pid);
  const database_before_ms = databases.cpuMs();
  const round = await withdrawAtOnce({ url: service.url, rpc_url, token, wallet_id, destination, count });
  return measured(round, {
    cpu_ms: cpuMs(service.pid) - before_ms,
    database_cpu_ms: databases.cpuMs() - database_before_ms,
    requests: requests.take(),
    longest_block_ms: await bench.takeLongestBlock(),
    peak_mib: peakMib(service.pid),
  });
}

async function startSdkLoop(direct_rpc_url: string, channels: number) {
  const requests = await countRequests(direct_rpc_url);
  const order: SdkOrder = { rpc_url: requests.url, direct_rpc_url, channels };
  const child = fork(join(import.meta.dirname, 'withdrawals-sdk.ts'), [JSON.stringify(order)], {
    serialization: 'advanced',
  });
  await messageFrom(child);
  return {
    async round(count: number): Promise<Measured> {
      requests.take();
      child.send(count);
      const round = (await messageFrom(child)) as SdkRound;
      return measured(round, { ...round, requests: requests.take() });
    },
    async stop(): Promise<void> {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
      await requests.close();
    },
  };
}

/** @throws Error when the process ends instead */
async function messageFrom(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the SDK's loop ended with ${code}`);
  });
  const [message] = await Promise.race([once(child, 'message'), ended]);
  return message;
}

type Cost = Pick<Measured, 'requests' | 'longest_block_ms' | 'peak_mib'> & {
  cpu_ms: number;
  database_cpu_ms?: number;
};

function measured({ from_ledger, outcomes, refusals }: Round, cost: Cost): Measured {
  const took = outcomes.flatMap(({ ledger }) => (ledger === null ? [] : [ledger - from_ledger]));
  return {
    ledgers: Math.max(...took),
    holding: new Set(took).size,
    latency_ledgers: took,
    latency_seconds: outcomes.map(({ seconds }) => seconds),
    cpu_ms: cost.cpu_ms / outcomes.length,
    database_cpu_ms: cost.database_cpu_ms === undefined ? null : cost.database_cpu_ms / outcomes.length,
    requests: new Map([...cost.requests].map(([method, times]) => [method, times / outcomes.length])),
    longest_block_ms: cost.longest_block_ms,
    peak_mib: cost.peak_mib,
    refusals,
  };
}
