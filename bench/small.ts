/**
 * What the service needs of a small machine: its memory when idle, and the time of a start. Without the sandbox and with an external
 * database, so that the process has the service alone. Each beside a bare Node.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from '../test/support/service.ts';
import { machine, markdown, median } from './measure.ts';
import { cpuMs, residentMib } from './process-usage.ts';
import { type Databases, startDatabases, startNetwork } from './withdrawals-world.ts';

const ROOT = join(import.meta.dirname, '..');
const PROGRAMS = { 'the package': 'dist/bin/teller.js', 'the checkout': 'bin/teller.js' };
/** V8 has given back what the start needed by then. */
const IDLE_MS = 30_000;
const GOALS = { resident_mib: 150, start_ms: 1_500, version_ms: 300 };

type Usage = { start_ms: number; cpu_ms: number; resident_mib: number };

/** Starts each program `rounds` times in turns, after a first start of each, which makes the schema. */
export async function benchSmall({ rounds }: { rounds: number }): Promise<void> {
  const built = spawnSync(process.execPath, ['scripts/build.ts'], { cwd: ROOT, stdio: 'inherit' });
  if (built.status !== 0) throw new Error('npm run build failed');
  const databases = await startDatabases();
  const network = await startNetwork({ close_ms: 5_000, max_operations: 1_000 });
  try {
    const worlds = await Promise.all(
      Object.entries(PROGRAMS).map(async ([name, program]) => ({
        name,
        program,
        env: await environment(databases, network.rpc_url),
        found: [] as Usage[],
      })),
    );
    for (const { program, env } of worlds) await usageOf(program, env, 0);
    for (let round = 0; round < rounds; round++)
      for (const { program, env, found } of worlds) found.push(await usageOf(program, env, IDLE_MS));
    const bare = await bareNode();
    console.log(`${machine()}; ${rounds} starts of each\n`);
    console.log(report(worlds, bare, await versionMs(rounds)));
  } finally {
    await network.stop();
    await databases.stop();
  }
}

async function environment(databases: Databases, rpc_url: string) {
  return {
    DATABASE_URL: await databases.create(),
    MASTER_KEY: randomBytes(32).toString('base64'),
    STELLAR_RPC_URL: rpc_url,
    ADMIN_EMAIL: 'bench@example.com',
    ADMIN_PASSWORD: randomBytes(16).toString('hex'),
  };
}

/** Starts the service, and looks at it `idle_ms` after its banner. */
async function usageOf(program: string, env: Record<string, string>, idle_ms: number): Promise<Usage> {
  const began = performance.now();
  const service = await startService({ program, env });
  const start_ms = performance.now() - began;
  const cpu_ms = cpuMs(service.pid);
  await sleep(idle_ms);
  const resident_mib = residentMib(service.pid);
  await service.stop();
  return { start_ms, cpu_ms, resident_mib };
}

/** Looks at a Node that does nothing, with nothing loaded. */
async function bareNode(): Promise<Usage> {
  const began = performance.now();
  const program = "process.stdout.write('on'); setInterval(() => {}, 1e6)";
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const start_ms = performance.now() - began;
  const pid = child.pid as number;
  const usage = { start_ms, cpu_ms: cpuMs(pid), resident_mib: residentMib(pid) };
  child.kill();
  return usage;
}

async function versionMs(rounds: number): Promise<number> {
  const times = Array.from({ length: rounds }, () => {
    const began = performance.now();
    spawnSync(process.execPath, ['bin/teller.js', '--version'], { cwd: ROOT });
    return performance.now() - began;
  });
  return median(times);
}

function report(worlds: { name: string; found: Usage[] }[], bare: Usage, version_ms: number): string {
  const cells = (found: Usage[], of: keyof Usage, unit: string) => {
    const values = found.map((usage) => usage[of]);
    const range =
      values.length > 1 ? ` (${Math.min(...values).toFixed(0)} – ${Math.max(...values).toFixed(0)})` : '';
    return `${median(values).toFixed(0)} ${unit}${range}`;
  };
  const row = (name: string, found: Usage[]) => [
    name,
    cells(found, 'resident_mib', 'MiB'),
    cells(found, 'start_ms', 'ms'),
    cells(found, 'cpu_ms', 'ms'),
  ];
  const rows = [...worlds.map(({ name, found }) => row(name, found)), row('a bare Node', [bare])];
  const verdict = (value: number, goal: number) => (value <= goal ? 'met' : 'missed');
  const goals = worlds.map(({ name, found }) => {
    const resident = median(found.map((usage) => usage.resident_mib));
    const start = median(found.map((usage) => usage.start_ms));
    return [
      name,
      `≤ ${GOALS.resident_mib} MiB: ${verdict(resident, GOALS.resident_mib)}`,
      `≤ ${GOALS.start_ms} ms: ${verdict(start, GOALS.start_ms)}`,
    ];
  });
  return [
    markdown(['', 'resident when idle', 'a second start, to the banner', 'CPU until then'], rows),
    markdown(['goals', 'resident', 'start'], goals),
    `teller --version: ${version_ms.toFixed(0)} ms (≤ ${GOALS.version_ms} ms: ${verdict(version_ms, GOALS.version_ms)})`,
  ].join('\n\n');
}
