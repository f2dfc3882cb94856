import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastWords } from './last-words.ts';

test('the output of initdb on a full disk becomes one line, which begins with what it means', () => {
  const output = `2026-11-23 07:08:09.766 UTC [32594] FATAL:  could not write to file "pg_wal/xlogtemp.32594": No space left on device
child process exited with exit code 1
initdb: removing contents of data directory "/data/postgres.initdb-kk2dHb"
`;
  assert.equal(
    lastWords(output),
    'the disk is full (FATAL:  could not write to file "pg_wal/xlogtemp.32594": No space left on device)',
  );
});

test('too few file descriptors are named as the cause', () => {
  const output = `2026-11-23 07:08:12.784 UTC [1] FATAL:  insufficient file descriptors available to start server process
2026-11-23 07:08:12.784 UTC [1] DETAIL:  System allows 33, server needs at least 58, 7 files are already open.
`;
  assert.match(lastWords(output), /^this process may not open enough files .*System allows 33/);
});

test('the fault that has ended a start is shown, and not the end of the processes after it', () => {
  const output = `2026-11-26 07:08:12.784 UTC [1] LOG:  redo done at 0/4002290
2026-11-26 07:08:12.784 UTC [1] FATAL:  recovery ended before configured recovery target was reached
2026-11-26 07:08:12.790 UTC [2] LOG:  startup process (PID 1) exited with exit code 1
2026-11-26 07:08:12.790 UTC [2] LOG:  terminating any other active server processes
2026-11-26 07:08:12.791 UTC [2] LOG:  shutting down due to startup process failure
2026-11-26 07:08:12.792 UTC [2] LOG:  database system is shut down
`;
  assert.match(lastWords(output), /FATAL: {2}recovery ended before configured recovery target was reached$/);
});

test('any other fault is shown in the words of PostgreSQL; no output gives no words', () => {
  assert.equal(lastWords('2026-11-23 07:08:12.784 UTC [1] FATAL:  it broke\n'), 'FATAL:  it broke');
  assert.equal(lastWords('one\ntwo\nthree\nfour\n'), 'two; three; four');
  assert.equal(lastWords(''), '');
});
