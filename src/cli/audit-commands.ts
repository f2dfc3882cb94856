/** `teller audit`: the operator checks the audit log, beside the running service. */
import { type Command, InvalidArgumentError } from 'commander';
import { type ChainReport, type KnownHead, verifyAudit } from '../audit/verify-audit.ts';
import { withServiceDatabase } from './command-line.ts';

export function auditCommands(program: Command): void {
  const audit = program.command('audit').description('the audit log: who changed what');

  audit
    .command('verify')
    .description(
      'check every entry against the hashes; exit code 1 when one was changed, removed or inserted',
    )
    .option(
      '--since <head>',
      'a head that an earlier run printed, as CHAIN:SEQ:HASH; can be repeated',
      (text: string, heads: KnownHead[]) => [...heads, readHead(text)],
      [] as KnownHead[],
    )
    .option('--json', 'as JSON')
    .action(({ since, json = false }: { since: KnownHead[]; json?: boolean }) =>
      withServiceDatabase(async ({ database: { db } }) => {
        const reports = await verifyAudit(db, since);
        process.stdout.write(json ? inJson(reports) : describe(reports));
        if (reports.some(({ faults }) => faults.length > 0)) process.exitCode = 1;
      }),
    );
}

function readHead(text: string): KnownHead {
  const [, chain, seq, hash] = /^(\w+):([1-9][0-9]{0,17}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (chain && seq && hash) return { chain, seq: BigInt(seq), hash };
  throw new InvalidArgumentError('It must be CHAIN:SEQ:HASH, as "teller audit verify" prints it.');
}

function headText({ chain, seq, hash }: KnownHead): string {
  return `${chain}:${seq}:${hash}`;
}

function inJson(reports: ChainReport[]): string {
  const shown = reports.map(({ head, ...report }) => ({ ...report, head: head && headText(head) }));
  return `${JSON.stringify(shown, null, 2)}\n`;
}

function describe(reports: ChainReport[]): string {
  const faults = reports.flatMap(({ chain, faults: of }) => of.map((fault) => `${chain}: ${fault}\n`));
  const entries = reports.reduce((sum, each) => sum + each.entries, 0);
  const heads = reports.flatMap(({ head }) => (head ? [`${headText(head)}\n`] : []));
  const verdict =
    faults.length === 0
      ? `The audit log is whole: ${entries} entries in ${reports.length} chains.\n`
      : `The audit log is not whole. ${faults.length} faults:\n${faults.join('')}`;
  return `${verdict}Heads, to keep elsewhere and to compare with --since:\n${heads.join('')}`;
}
