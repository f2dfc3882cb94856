/**
 * `npm run check`: all checks that need no running service. It runs as many at once as there are cores, the longest first,
 * and reports all failures.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

const bin = (name: string) => join('node_modules', '.bin', name);

const CHECKS: [name: string, command: string, args: string[]][] = [
  [
    'no promise is forgotten',
    bin('oxlint'),
    [
      '--type-aware',
      '--deny-warnings',
      'src',
      'sandbox',
      'test',
      'bench',
      'scripts',
      'bin',
      'clients',
      'dashboard/src',
    ],
  ],
  ['types', bin('tsc'), ['-p', '.']],
  ['types of the dashboard', bin('tsc'), ['-p', 'dashboard']],
  ['types of the client', bin('tsc'), ['-p', 'clients/typescript/tsconfig.build.json', '--noEmit']],
  ['lint and format', bin('biome'), ['check', '--error-on-warnings', '.']],
  [
    'module rules',
    bin('depcruise'),
    [
      '--config',
      '.dependency-cruiser.cjs',
      'src',
      'sandbox',
      'dashboard/src',
      'clients/typescript/src',
      'test',
      'bench',
      'scripts',
    ],
  ],
  ['the rooms form no cycle', process.execPath, ['scripts/rooms.ts']],
  ['dead code', bin('knip'), []],
  ['no retired words', process.execPath, ['scripts/retired-words.ts']],
  ['docstrings of functions begin with a verb', process.execPath, ['scripts/docstrings.ts']],
  ['Node and PostgreSQL are the known programs', process.execPath, ['scripts/programs.ts']],
  ['OpenAPI document up to date', process.execPath, ['scripts/openapi.ts', '--check']],
  ['schema and row types up to date', process.execPath, ['scripts/schema.ts', '--check']],
  ['client up to date', process.execPath, ['scripts/client.ts', '--check']],
  ['Python client up to date', process.execPath, ['scripts/python-client.ts', '--check']],
  ['board up to date', process.execPath, ['scripts/board.ts', '--check']],
];

const waiting = [...CHECKS];
const failed: string[] = [];
await Promise.all(Array.from({ length: availableParallelism() }, checkNext));
process.exitCode = failed.length === 0 ? 0 : 1;

/** Runs checks one after the other until none waits. */
async function checkNext(): Promise<void> {
  for (let next = waiting.shift(); next; next = waiting.shift()) await check(...next);
}

/** Runs one check. Its output is printed at its end, so that the outputs of two checks do not mix. */
async function check(name: string, command: string, args: string[]): Promise<void> {
  const began = performance.now();
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: withThisNodeFirst() });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0) failed.push(name);
  const took_s = Math.round((performance.now() - began) / 1000);
  process.stdout.write(`${Buffer.concat(output)}${status === 0 ? 'ok  ' : 'FAIL'} ${name} (${took_s} s)\n`);
}

/** The tools' own `#!/usr/bin/env node` must find Node 24, whichever one npm was started with. */
function withThisNodeFirst(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${join(process.execPath, '..')}:${process.env.PATH}` };
}
