/**
 * A process that runs `teller` commands one after the other for a test process (commands.ts). Loading the program is most of what
 * a command costs. Each command gets its own environment, standard input, output and exit code, as in a process of its own.
 */
import { strict as assert } from 'node:assert';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describeError, program } from '../../src/cli/program.ts';
import { openLogOutput } from '../../src/lib/log-output.ts';
import { END, type Order } from './commands.ts';

/** What `process.exit` throws here: the process goes on with the next command. */
class Ended {
  readonly code: number;

  constructor(code: number) {
    this.code = code;
  }
}

const keys = mkdtempSync(join(tmpdir(), 'teller-keys-'));
process.once('exit', () => rmSync(keys, { recursive: true, force: true }));

if (process.send) {
  process.once('disconnect', process.exit.bind(process, 0)); // the test process has ended
  process.umask(0o077); // as main.ts
  process.exit = (code) => {
    throw new Ended(Number(code ?? process.exitCode ?? 0));
  };
  process.on('message', (order: Order) => void run(order));
  process.send('ready');
}

async function run({ args, env }: Order): Promise<void> {
  process.env = keysInFiles(env);
  Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from([]) });
  process.exitCode = undefined;
  const code = await codeOf(args);
  process.exitCode = undefined;
  openLogOutput(() => undefined).write(END); // lines of the log are written in the background, this one after them
  process.stderr.write(END);
  assert(process.send);
  process.send(code);
}

/** A key in a variable is read from memory that only the start of a process fills, so here it is in a file. */
function keysInFiles(env: Order['env']): Order['env'] {
  const given = { ...env };
  for (const name of ['MASTER_KEY', 'MASTER_KEY_PREVIOUS']) {
    const { [name]: key, [`${name}_FILE`]: file } = given;
    if (!key || file) continue;
    const path = join(keys, name);
    writeFileSync(path, key, { mode: 0o600 });
    delete given[name];
    given[`${name}_FILE`] = path;
  }
  return given;
}

async function codeOf(args: string[]): Promise<number> {
  try {
    await program.parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof Ended) return error.code;
    process.stderr.write(`${describeError(error)}\n`);
    return Number(process.exitCode ?? 1);
  }
}
