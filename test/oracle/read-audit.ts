/** Reads the audit log of the service, and checks its hashes with code of its own. */
import { createHash } from 'node:crypto';
import type { Ask } from './ask.ts';
import type { AuditEvidence } from './evidence.ts';

export async function readAudit(ask: Ask, complete: boolean): Promise<AuditEvidence> {
  const rows = await ask('select chain, seq, entry, hash from audit_log order by chain, seq');
  const heads = await ask('select chain, seq, hash from audit_heads');
  const chains = Map.groupBy(rows, ({ chain }) => chain as string);
  return {
    faults: [...chains].flatMap(([chain, entries]) =>
      faultsOf(
        chain,
        entries,
        heads.find((head) => head.chain === chain),
      ),
    ),
    requested: rows.flatMap(({ entry }) => requestedIn(JSON.parse(entry), entry)),
    complete,
  };
}

function faultsOf(chain: string, entries: any[], head: any): string[] {
  let hash = createHash('sha256').update(chain).digest();
  const faults: string[] = [];
  for (const [index, row] of entries.entries()) {
    const seq = Buffer.alloc(8);
    seq.writeBigInt64BE(BigInt(index + 1));
    hash = createHash('sha256')
      .update(Buffer.concat([hash, seq, Buffer.from(row.entry)]))
      .digest();
    if (BigInt(row.seq) !== BigInt(index + 1) || !hash.equals(row.hash))
      faults.push(`entry ${row.seq} of ${chain} is not what followed`);
  }
  if (BigInt(head?.seq ?? 0) !== BigInt(entries.length) || !hash.equals(head?.hash ?? Buffer.alloc(0)))
    faults.push(`the head of ${chain} is not its last entry`);
  return faults;
}

const REQUESTS = ['withdrawal.requested', 'asset.added', 'asset.removed'];

/** The amount comes from the text: JSON.parse would round it. */
function requestedIn(entry: any, text: string): AuditEvidence['requested'] {
  if (!REQUESTS.includes(entry.action)) return [];
  const amount = /"amount_stroops":(\d+)/.exec(text)?.[1];
  return [
    {
      withdrawal_id: entry.target.id,
      destination: entry.after.destination ?? null,
      amount_stroops: amount === undefined ? null : BigInt(amount),
    },
  ];
}
