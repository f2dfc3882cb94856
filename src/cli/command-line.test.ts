import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Command } from 'commander';
import pg from 'pg';
import { createTestDatabase } from '../../test/support/postgres.ts';
import { teller } from '../../test/support/service.ts';
import { pointToHelp } from './command-line.ts';

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'));

test('teller --version prints the version of package.json', async () => {
  assert.deepEqual(await teller(['--version']), { code: 0, output: `${manifest.version}\n` });
});

test('teller names a misspelt command with a guess, points to --help and exits with 1', async () => {
  const output = "error: unknown command 'unmatchd'\n(Did you mean unmatched?)\nSee `teller --help`.\n";
  assert.deepEqual(await teller(['unmatchd']), { code: 1, output });
});

test('an error that nobody foresaw is printed with its stack and its cause; a known one is one line', async (t) => {
  const { url: DATABASE_URL, drop } = await createTestDatabase();
  t.after(drop);
  const client = new pg.Client({ connectionString: DATABASE_URL });
  await client.connect();
  await client.query('delete from migrations'); // so that the first one runs again and fails
  await client.end();
  const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');
  const unforeseen = await teller(['migrate'], { DATABASE_URL, MASTER_KEY });
  assert.equal(unforeseen.code, 1);
  assert.match(unforeseen.output, /^Error: migration \w+\.sql failed\n +at .*already exists/s);
  const known = await teller(['migrate'], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', MASTER_KEY });
  assert.equal(known.code, 1);
  assert.match(known.output, /^Cannot connect to the database: [^\n]+\n$/);
});

/** What a program of each kind of command prints for these arguments. */
function usageError(...args: string[]): string {
  let output = '';
  const program = new Command('program')
    .exitOverride()
    .configureOutput({ writeErr: (text) => (output += text) });
  program.command('plain').requiredOption('--needed <value>').action(unreachable);
  const withDefault = program.command('with-default');
  withDefault.command('list', { isDefault: true }).option('--all').action(unreachable);
  withDefault.command('assign').argument('<id>').action(unreachable);
  program.command('with-action').action(unreachable).command('pay').action(unreachable);
  program.command('group').command('create').action(unreachable);
  pointToHelp(program);
  assert.throws(() => program.parse(args, { from: 'user' }));
  return output;
}

function unreachable(): never {
  assert.fail('a command ran in spite of the usage error');
}

test('a misspelt subcommand is unknown, whether its command has a default, an action or neither', () => {
  assert.equal(
    usageError('with-default', 'asign', 'x'),
    "error: unknown command 'asign'\n(Did you mean assign?)\nSee `program with-default --help`.\n",
  );
  assert.equal(
    usageError('with-action', 'pya'),
    "error: unknown command 'pya'\n(Did you mean pay?)\nSee `program with-action --help`.\n",
  );
  assert.match(
    usageError('group', 'remove'),
    /^error: unknown command 'remove'\nSee `program group --help`\.\n$/,
  );
});

test('an unknown option, a missing one and a missing argument point to the --help of their own command', () => {
  assert.match(
    usageError('with-default', '--al'),
    /^error: unknown option '--al'\n.*See `program with-default list --help`/s,
  );
  assert.match(usageError('plain'), /^error: required option '--needed .*See `program plain --help`/s);
  assert.match(
    usageError('with-default', 'assign'),
    /^error: missing required argument 'id'\nSee `program with-default assign --help`/,
  );
});
