/**
 * Checks the audit log against its hashes. Each hash is over the one before, so a change of any entry shows at that entry or
 * the next one. A person who can write all rows can write a whole new chain: only heads that were kept elsewhere show that.
 */
import { createHash } from 'node:crypto';
import type { Db } from '../db/database.ts';
import { type Appended, listChains, listHeads, readChain } from './audit-store.ts';

/** The head of a chain that somebody has kept. */
export type KnownHead = { chain: string; seq: bigint; hash: string };
export type ChainReport = { chain: string; entries: number; head: KnownHead | null; faults: string[] };

const BATCH = 5_000;

/**
 * Checks every chain, and returns a report of each in the order of their names. `known`: heads that must be in the chains. Reads
 * one state of the database, however many entries others append.
 */
export async function verifyAudit(db: Db, known: readonly KnownHead[] = []): Promise<ChainReport[]> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const heads = new Map((await listHeads(trx)).map((head) => [head.chain, head]));
      const named = known.map(({ chain }) => chain);
      const chains = [...new Set([...heads.keys(), ...(await listChains(trx)), ...named])].toSorted();
      const reports: ChainReport[] = [];
      for (const chain of chains) {
        const kept = known.filter((head) => head.chain === chain);
        reports.push(await verifyChain(trx, chain, { head: heads.get(chain), kept }));
      }
      return reports;
    });
}

async function verifyChain(
  db: Db,
  chain: string,
  { head, kept }: { head: { seq: bigint; hash: Buffer } | undefined; kept: KnownHead[] },
): Promise<ChainReport> {
  const faults: string[] = [];
  const missing = new Map(kept.map(({ seq, hash }) => [seq, hash]));
  let last: { seq: bigint; hash: Buffer } = { seq: 0n, hash: createHash('sha256').update(chain).digest() };
  let entries = 0;
  for (;;) {
    const rows = await readChain(db, chain, last.seq, BATCH);
    for (const row of rows) {
      const fault = faultOf(last, row);
      if (fault) faults.push(fault);
      const expected = missing.get(row.seq);
      if (expected === row.hash.toString('hex')) missing.delete(row.seq);
      last = row;
    }
    entries += rows.length;
    if (rows.length < BATCH) break;
  }
  faults.push(...faultsOfEnd(last, head));
  for (const seq of missing.keys()) faults.push(`entry ${seq} is not the one whose hash was kept`);
  return {
    chain,
    entries,
    head: entries === 0 ? null : { chain, seq: last.seq, hash: last.hash.toString('hex') },
    faults,
  };
}

/** Returns the fault of `row`, or null. `last`: the entry that stands before `row` now, or the beginning of the chain. */
function faultOf(last: { seq: bigint; hash: Buffer }, row: Appended): string | null {
  if (row.seq !== last.seq + 1n) {
    const first = last.seq + 1n;
    const range = first === row.seq - 1n ? `entry ${first} is` : `entries ${first} to ${row.seq - 1n} are`;
    return `${range} missing`;
  }
  if (hashOf(last.hash, row).equals(row.hash)) return null;
  return last.seq === 0n
    ? `entry ${row.seq} was changed`
    : `entry ${row.seq} was changed or inserted, or entry ${last.seq} was replaced`;
}

/** Computes the hash of an entry, as the SQL function audit_hash does. `before`: the hash of the entry before. */
function hashOf(before: Buffer, { seq, entry }: Appended): Buffer {
  const number = Buffer.alloc(8);
  number.writeBigInt64BE(seq);
  return createHash('sha256').update(before).update(number).update(entry, 'utf8').digest();
}

function faultsOfEnd(
  last: { seq: bigint; hash: Buffer },
  head: { seq: bigint; hash: Buffer } | undefined,
): string[] {
  if (!head) return last.seq === 0n ? [] : ['the head of the chain is missing'];
  if (head.seq > last.seq) return [`the head says ${head.seq} entries; those after ${last.seq} are missing`];
  if (head.seq < last.seq) return [`the head says ${head.seq} entries; those after it were inserted`];
  return head.hash.equals(last.hash) ? [] : ['the head has another hash than the last entry'];
}
