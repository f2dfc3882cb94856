import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SANDBOX_PASSPHRASE } from '../passphrase.ts';
import type { Findings } from '../replay/findings.ts';
import { replayFolder } from '../replay/replay-folder.ts';
import { DATA } from '../testing/recorded-ledgers.ts';

/** Ledgers of a real stellar-core 19 from its genesis on, and its answer to every submission. */
const FIXTURE = join(import.meta.dirname, '../testing/recordings/replay-core-19');

/** More recordings of protocol 19, on machines that have them. The replay does not follow the upgrades of protocol 20. */
const others = existsSync(DATA) ? readdirSync(DATA).filter((name) => name.startsWith('replay-core-19')) : [];

test('every recorded ledger comes out as stellar-core closed it: results, fees, entries, answers', () => {
  const findings = replayFolder(FIXTURE, SANDBOX_PASSPHRASE);
  assertNothingDiffers(findings);
  assert.deepEqual(
    [findings.ledgers, findings.transactions, findings.unsupported, findings.entriesAtTheEnd],
    [372, 2611, 0, 227],
  );
  assert.ok((findings.operationKinds.get('paymentSuccess') ?? 0) > 500);
  assert.ok(findings.operationKinds.size > 50, `${findings.operationKinds.size} kinds of operation results`);
  assert.ok(sum(findings.admissions) > 2000, `${sum(findings.admissions)} answers compared`);
});

const skip = others.length > 0 ? false : `no recordings at ${DATA}`;
test('so do the recordings beside the project', { skip }, () => {
  for (const name of others) {
    const findings = replayFolder(join(DATA, name), SANDBOX_PASSPHRASE);
    assertNothingDiffers(findings);
    assert.ok(findings.transactions > 1000, `${findings.transactions} replayed of ${name}`);
  }
});

function assertNothingDiffers(findings: Findings): void {
  assert.equal(findings.differences.length, 0, JSON.stringify(findings.differences[0], null, 2));
}

function sum(counts: ReadonlyMap<string, number>): number {
  return counts.values().reduce((total, count) => total + count, 0);
}
