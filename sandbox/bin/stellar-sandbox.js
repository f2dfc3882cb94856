#!/usr/bin/env node
// Plain JavaScript for any Node from 18 on: starts the sandbox with Node 24, which npm installs beside it.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The first Node that runs TypeScript and has the SQLite that the ledger is kept in. */
const NEEDED_MAJOR = 24;
const NODE_FLAGS = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=8'];

const END_WITH_LAUNCHER = `--import=${new URL('end-with-launcher.js', import.meta.url)}`;

const main = join(dirname(dirname(fileURLToPath(import.meta.url))), 'main.ts');
run(findNode(), [main, ...process.argv.slice(2)]);

/** Path of a Node that is new enough: this one, else the one that npm installed. */
function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR) return process.execPath;
  try {
    const require = createRequire(import.meta.url);
    return join(
      dirname(require.resolve(`node-${process.platform}-${process.arch}/package.json`)),
      'bin',
      'node',
    );
  } catch {
    return fail(
      `The sandbox needs Node ${NEEDED_MAJOR}; this is Node ${process.versions.node}. ` +
        `On Linux x64 and arm64 \`npm ci\` installs it (optional dependencies must not be omitted).`,
    );
  }
}

/** Replaces this process, or on an older Node wraps the new one. */
function run(node, argv) {
  if (process.execve) process.execve(node, [node, ...NODE_FLAGS, ...argv], process.env);
  // The last one is a pipe: the sandbox notices its end when this process is killed.
  const child = spawn(node, [...NODE_FLAGS, END_WITH_LAUNCHER, ...argv], {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: { ...process.env, SANDBOX_LAUNCHER: `${process.pid}` },
  });
  child.stdio[3]?.on('error', () => {});
  // A terminal's Ctrl-C reaches the child too; the sandbox treats a second signal as the first.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(`Cannot start ${node}: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
