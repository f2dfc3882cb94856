/** The chains of the audit log: whole under load, without an entry of what did not happen, and honest about every change. */
import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import { ACTOR } from '../../test/support/acting.ts';
import { type InProcessService, startInProcess } from '../../test/support/in-process-service.ts';
import { audited, type Deed } from './audit.ts';
import { type KnownHead, verifyAudit } from './verify-audit.ts';

let world: InProcessService;
before(async () => {
  world = await startInProcess();
});
after(() => world.close());

let serial = 0;
let chain = '';
beforeEach(() => {
  chain = `usr_${++serial}`;
});

const deed = (team_id: string | null, name = 'x'): Deed => ({
  team_id,
  action: 'team.renamed',
  target: { kind: 'team', id: team_id },
  after: { name },
});
const append = (name = 'x', deps = world.deps) =>
  audited(deps, ACTOR, async (_trx, note) => note(deed(chain, name)));
const query = (sql: string, values: unknown[] = []) => world.deps.pool.query(sql, values);
const verified = async (known: KnownHead[] = []) =>
  (await verifyAudit(world.deps.db, known)).find((report) => report.chain === chain) ?? assert.fail();
const entriesOf = async () =>
  (await query('select seq, entry, hash from audit_log where chain = $1 order by seq', [chain])).rows;

/** Runs as whoever owns the tables can: without the triggers. */
async function tampering(work: () => Promise<unknown>): Promise<void> {
  await query('alter table audit_log disable trigger user');
  await work();
  await query('alter table audit_log enable trigger user');
}

test('entries of many processes at once make one chain without a gap', async () => {
  const processes = [world.deps, world.another(), world.another()];
  await Promise.all(Array.from({ length: 120 }, (_, n) => append(`${n}`, processes[n % processes.length])));
  const { entries, faults } = await verified();
  assert.deepEqual({ entries, faults }, { entries: 120, faults: [] });
});

test('changes of two teams at once, noted in either order, do not wait for each other for ever', async () => {
  const other = `${chain}_other`;
  await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      audited(world.deps, ACTOR, async (_trx, note) => {
        for (const team of n % 2 ? [chain, other] : [other, chain]) note(deed(team));
      }),
    ),
  );
  assert.deepEqual((await verified()).faults, []);
  assert.equal((await verified()).entries, 60);
});

test('a change that fails after it was noted leaves no entry', async () => {
  const failing = audited(world.deps, ACTOR, async (_trx, note) => {
    note(deed(chain));
    throw new Error('too late');
  });
  await assert.rejects(failing, /too late/);
  await append();
  assert.deepEqual((await verified()).entries, 1);
});

test('an entry that cannot be appended takes the change back', async () => {
  const failing = audited(world.deps, ACTOR, async (trx, note) => {
    await trx
      .insertInto('audit_heads')
      .values({ chain: `${chain}_seen`, seq: 1n, hash: Buffer.alloc(32) })
      .execute();
    note({ ...deed(chain), target: { kind: 'a\0b', id: null } }); // PostgreSQL keeps no such text
  });
  await assert.rejects(failing);
  assert.equal((await query('select from audit_heads where chain = $1', [`${chain}_seen`])).rowCount, 0);
});

test('the hash is what the documentation says: SHA-256 of the hash before, the number and the text', async () => {
  await append('ä 😀');
  await append();
  let hash: Buffer = createHash('sha256').update(chain).digest();
  for (const row of await entriesOf()) {
    const seq = Buffer.alloc(8);
    seq.writeBigInt64BE(row.seq);
    hash = createHash('sha256')
      .update(Buffer.concat([hash, seq, Buffer.from(row.entry)]))
      .digest();
    assert.deepEqual(row.hash, hash);
  }
});

const CHANGES: [name: string, change: () => Promise<unknown>, fault: RegExp][] = [
  [
    'a changed entry',
    () =>
      query('update audit_log set entry = replace(entry, \'"n3"\', \'"n0"\') where chain = $1 and seq = 3', [
        chain,
      ]),
    /^entry 3 was changed or inserted/,
  ],
  [
    'a changed entry with its new hash',
    () =>
      query(
        `update audit_log a set entry = '{"id":"","at":"","action":""}',
           hash = audit_hash((select hash from audit_log b where b.chain = a.chain and b.seq = 2), 3, '{"id":"","at":"","action":""}')
         where chain = $1 and seq = 3`,
        [chain],
      ),
    /^entry 4 was changed or inserted, or entry 3 was replaced/,
  ],
  [
    'a removed entry',
    () => query('delete from audit_log where chain = $1 and seq = 2', [chain]),
    /^entry 2 is missing$/,
  ],
  [
    'the first entries removed',
    () => query('delete from audit_log where chain = $1 and seq <= 2', [chain]),
    /^entries 1 to 2 are missing$/,
  ],
  [
    'two entries swapped',
    () =>
      query(
        `update audit_log a set entry = (select entry from audit_log b where b.chain = $1 and b.seq = 7 - a.seq)
         where chain = $1 and seq in (3, 4)`,
        [chain],
      ),
    /^entry 3 was changed or inserted/,
  ],
  [
    'an entry inserted after the last',
    () =>
      query(
        `insert into audit_log (chain, seq, entry, hash)
         select chain, seq + 1, entry, audit_hash(hash, seq + 1, entry) from audit_log where chain = $1 and seq = 5`,
        [chain],
      ),
    /^the head says 5 entries; those after it were inserted$/,
  ],
  [
    'the tail cut',
    () => query('delete from audit_log where chain = $1 and seq > 3', [chain]),
    /^the head says 5 entries; those after 3 are missing$/,
  ],
  [
    'the head removed',
    () => query('delete from audit_heads where chain = $1', [chain]),
    /^the head of the chain is missing$/,
  ],
  [
    'an entry of another chain put in its place',
    () =>
      query(
        `update audit_log a set (entry, hash) = (select entry, hash from audit_log b where b.chain <> $1 and b.seq = 1 limit 1)
         where chain = $1 and seq = 1`,
        [chain],
      ),
    /^entry 1 was changed/,
  ],
];

for (const [name, change, fault] of CHANGES) {
  test(`verify names ${name}`, async () => {
    for (let n = 1; n <= 5; n++) await append(`n${n}`);
    assert.deepEqual((await verified()).faults, []);
    await tampering(change);
    const { faults } = await verified();
    assert.match(faults[0] ?? '', fault);
  });
}

test('only a head that was kept elsewhere shows a tail that was cut with the head put back, or a whole new chain', async () => {
  for (let n = 1; n <= 3; n++) await append(`n${n}`);
  const { head } = await verified();
  assert(head);
  await tampering(async () => {
    await query('delete from audit_log where chain = $1 and seq = 3', [chain]);
    await query(
      'update audit_heads set seq = 2, hash = (select hash from audit_log where chain = $1 and seq = 2) where chain = $1',
      [chain],
    );
  });
  assert.deepEqual((await verified()).faults, []);
  assert.deepEqual((await verified([head])).faults, ['entry 3 is not the one whose hash was kept']);
  await append('another third');
  assert.deepEqual((await verified()).faults, []);
  assert.deepEqual((await verified([head])).faults, ['entry 3 is not the one whose hash was kept']);
});
