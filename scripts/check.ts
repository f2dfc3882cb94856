/** `npm run check`: all checks that need no running service. It runs every check and reports all failures. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const bin = (name: string) => join('node_modules', '.bin', name);

const CHECKS: [name: string, command: string, args: string[]][] = [
  ['types', bin('tsc'), ['-p', '.']],
  ['types of the dashboard', bin('tsc'), ['-p', 'dashboard']],
  ['types of the client', bin('tsc'), ['-p', 'clients/typescript/tsconfig.build.json', '--noEmit']],
  ['lint and format', bin('biome'), ['check', '--error-on-warnings', '.']],
  [
    'no promise is forgotten',
    bin('eslint'),
    ['--max-warnings=0', 'src', 'sandbox', 'test', 'bench', 'scripts', 'bin', 'clients', 'dashboard/src'],
  ],
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
  ['dead code', bin('knip'), []],
  ['no retired words', process.execPath, ['scripts/retired-words.ts']],
  ['Node and PostgreSQL are the known programs', process.execPath, ['scripts/programs.ts']],
  ['OpenAPI document up to date', process.execPath, ['scripts/openapi.ts', '--check']],
  ['schema and row types up to date', process.execPath, ['scripts/schema.ts', '--check']],
  ['contract of the dashboard up to date', process.execPath, ['scripts/contract.ts', '--check']],
  ['client up to date', process.execPath, ['scripts/client.ts', '--check']],
  ['Python client up to date', process.execPath, ['scripts/python-client.ts', '--check']],
  ['board up to date', process.execPath, ['scripts/board.ts', '--check']],
];

let failed = 0;
for (const [name, command, args] of CHECKS) {
  const { status } = spawnSync(command, args, { stdio: 'inherit', env: withThisNodeFirst() });
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name}`);
  if (status !== 0) failed++;
}
process.exitCode = failed === 0 ? 0 : 1;

/** The tools' own `#!/usr/bin/env node` must find Node 24, whichever one npm was started with. */
function withThisNodeFirst(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${join(process.execPath, '..')}:${process.env.PATH}` };
}
