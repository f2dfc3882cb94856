import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SANDBOX_PASSPHRASE } from '../passphrase.ts';
import type { Findings } from '../replay/findings.ts';
import { replayFolder } from '../replay/replay-folder.ts';
import { DATA } from '../testing/recorded-ledgers.ts';

const RECORDINGS = join(import.meta.dirname, '../testing/recordings');

/** Ledgers of a real stellar-core from its genesis on, and its answer to every submission. */
const FIXTURES = [
  { name: 'replay-core-19', counts: { ledgers: 372, transactions: 2611, entries: 227 }, answers: 4_771 },
  { name: 'replay-core-27', counts: { ledgers: 597, transactions: 3333, entries: 292 }, answers: 6_261 },
];

for (const { name, counts, answers } of FIXTURES) {
  test(`every ledger of ${name} comes out as stellar-core closed it: results, fees, entries, events, answers`, () => {
    const findings = replayFolder(join(RECORDINGS, name), SANDBOX_PASSPHRASE);
    assertNothingDiffers(findings);
    const { ledgers, transactions, entriesAtTheEnd: entries } = findings;
    assert.deepEqual({ ledgers, transactions, entries }, counts);
    assert.equal(findings.unsupported, 0);
    assert.equal(findings.sameEvents, name === 'replay-core-27' ? transactions : 0);
    assert.ok((findings.operationKinds.get('paymentSuccess') ?? 0) > 400);
    assert.ok(
      findings.operationKinds.size > 50,
      `${findings.operationKinds.size} kinds of operation results`,
    );
    assert.equal(sum(findings.admissions), answers);
    assert.ok(sum(findings.admissionsLeftOut) <= 5, 'answers that a ledger overtook');
  });
}

/** More recordings, on machines that have them. */
const others = existsSync(DATA) ? readdirSync(DATA).filter((name) => name.startsWith('replay-core-')) : [];
const known = new Set(FIXTURES.map(({ name }) => name));
const more = others.filter((name) => !known.has(name));

const skip = more.length > 0 ? false : `no more recordings at ${DATA}`;
test('so do the recordings beside the project', { skip }, () => {
  for (const name of more) {
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
