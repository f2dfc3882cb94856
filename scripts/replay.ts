/** `npm run replay -- DIR`: replays ledgers recorded from a real stellar-core by the sandbox's own rules. */
import { SANDBOX_PASSPHRASE } from '../sandbox/passphrase.ts';
import type { Difference } from '../sandbox/replay/findings.ts';
import { replayFolder } from '../sandbox/replay/replay-folder.ts';

const [dir] = process.argv.slice(2);
if (dir === undefined) {
  console.error('usage: npm run replay -- DIR   (a folder with meta.xdr.gz and submissions.jsonl)');
  process.exit(2);
}

const findings = replayFolder(dir, SANDBOX_PASSPHRASE);
for (const difference of findings.differences) printDifference(difference);
printCounts('Transactions', findings.transactionKinds);
printCounts('Operations', findings.operationKinds);
printCounts('Answers to submissions compared', findings.admissions);
printCounts('Answers to submissions left out', findings.admissionsLeftOut);
console.log(
  [
    '',
    `${findings.ledgers} ledgers, ${findings.transactions} transactions replayed,`,
    `${findings.unsupported} of them with operations that are not supported here and were followed.`,
    `${findings.sameMeta} metas equal to the byte; the others' changes come in another order, or differ (see above).`,
    `${findings.sameEvents} transactions with the same events.`,
    `${findings.entriesAtTheEnd} entries compared at the end.`,
    `${findings.differences.length} differences.`,
  ].join('\n'),
);
process.exitCode = findings.differences.length === 0 ? 0 : 1;

function printDifference({ ledger, hash, what, ours, theirs, envelope }: Difference): void {
  console.log(`DIFFERENCE in ledger ${ledger}${hash === null ? '' : `, transaction ${hash}`}: ${what}`);
  console.log(`  ours     ${ours}\n  theirs   ${theirs}`);
  if (envelope !== null) console.log(`  envelope ${envelope}`);
}

function printCounts(title: string, counts: ReadonlyMap<string, number>): void {
  console.log(`\n${title}:`);
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  for (const [kind, count] of sorted) console.log(`${String(count).padStart(7)}  ${kind}`);
}
