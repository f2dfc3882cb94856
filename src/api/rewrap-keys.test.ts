/** Rotations of the master key on a real database, with a process that dies at each statement, and with others beside it. */
import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { ACTOR } from '../../test/support/acting.ts';
import { addChannel } from '../../test/support/channels.ts';
import { diesAt } from '../../test/support/dying-database.ts';
import { eventually } from '../../test/support/eventually.ts';
import { type InProcessService, startInProcess } from '../../test/support/in-process-service.ts';
import { createTestDatabase } from '../../test/support/postgres.ts';
import { openConnections } from '../db/connections.ts';
import type { Db } from '../db/database.ts';
import { InstallationMismatch } from '../db/installation.ts';
import { listMasterKeys } from '../db/master-keys.ts';
import { runningProcesses } from '../db/running-processes.ts';
import type { SealedRow, SealedRows } from '../db/sealed-rows.ts';
import { sessionName } from '../db/session-names.ts';
import type { Deps } from '../deps.ts';
import { accountOf, publicKeyOf } from '../stellar/address.ts';
import { type NewJournalKey, NO_KEY_JOURNAL, openKeyJournal } from '../vault/key-journal.ts';
import { createKeys, type Keys } from '../vault/keys.ts';
import { namedKeyOf } from '../vault/master-keys/key-ring.ts';
import { createWallet } from '../wallets/create-wallet.ts';
import { completeJournal, missingKeys } from './missing-keys.ts';
import { rewrapKeys, SEALED } from './rewrap-keys.ts';
import { readRotation, rotateKeys } from './rotate-keys.ts';
import { createWithSealingKey, requireKeys } from './sealing-key.ts';
import { verifyKeys } from './verify-keys.ts';

const [OLD, NEXT] = [randomBytes(32), randomBytes(32)];
const ENDPOINT = {
  url: 'https://a.example',
  created_by_kind: 'user' as const,
  created_by_id: 'usr_test',
};
const NEXT_ID = createKeys([NEXT]).key_ring.sealing().id;
const both = () => createKeys([NEXT, OLD]);
const backwards = () => createKeys([OLD, NEXT]);

let world: InProcessService;
let deps: Deps;
let db: Db;
let url: string;
/** The rows before any rotation, for the next test. */
const kept: { rows: SealedRows; row: SealedRow }[] = [];
/** What is sealed, by table and row; of a seed its public key. */
const secrets_of = new Map<string, string>();

const team = async () => (await db.selectFrom('teams').select('id').executeTakeFirstOrThrow()).id;

/** Two rows in every table that has something sealed. */
async function sealEverywhere(): Promise<void> {
  const [wallet] = [await world.wallet(), await world.wallet()];
  await addChannel(world);
  const { public_key, sealed_seed } = await deps.vault.generate('chn_more');
  const { sponsor } = await db.selectFrom('channels').select('sponsor').executeTakeFirstOrThrow();
  const account = accountOf(public_key);
  await db
    .insertInto('channels')
    .values({ account, id: 'chn_more', sealed_seed, sponsor, status: 'creating' })
    .execute();
  const team_id = await team();
  const user = await db.selectFrom('users').select('id').executeTakeFirstOrThrow();
  const later = new Date(Date.now() + 86_400_000);
  const seal = (id: string) => deps.secrets.seal(id, `secret of ${id}`);
  for (const id of ['whe_1', 'whe_2']) {
    const row = { id, wallet_id: wallet.id, ...ENDPOINT, sealed_secret: seal(id) };
    await db.insertInto('webhook_endpoints').values(row).execute();
    const old = { endpoint_id: id, sealed_secret: seal(id), signs_until: later };
    await db.insertInto('webhook_old_secrets').values(old).execute();
    const alerts = { team_id, url: 'https://a.example', sealed_secret: seal(`alerts of ${team_id}`) };
    await db
      .insertInto('alert_settings')
      .values(alerts)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await db
      .insertInto('alert_old_webhooks')
      .values({ ...alerts, told_until: later })
      .execute();
    const factor = `fac_${id}`;
    await db
      .insertInto('second_factors')
      .values({
        id: factor,
        user_id: user.id,
        kind: 'totp',
        name: id,
        sealed_secret: seal(factor),
        last_step: 0n,
        created_at: new Date(),
        confirmed_at: new Date(),
      })
      .execute();
  }
}

async function allRows(): Promise<{ rows: SealedRows; row: SealedRow }[]> {
  const all = [];
  for (const rows of SEALED)
    for (const row of await rows.pageWithout(db, { prefix: Buffer.of(0xff), after: null, limit: 1_000 }))
      all.push({ rows, row });
  return all;
}

/** @throws Error when no key of these opens it */
function opened({ vault, secrets }: Keys, { sealed_for, account, sealed }: SealedRow): string {
  if (account === null) return secrets.open(sealed_for, sealed);
  assert(vault.opens(sealed, { id: sealed_for, public_key: publicKeyOf(account) }));
  return account;
}

/** Every row opens with these keys, and gives what it gave before. */
async function assertAllOpen(keys: Keys): Promise<void> {
  const all = await allRows();
  assert.equal(all.length, kept.length);
  for (const { rows, row } of all)
    assert.equal(opened(keys, row), secrets_of.get(`${rows.table} ${row.key}`), `${rows.table} ${row.key}`);
}

/** As before the first rotation. */
async function undoRotations(): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx); // without the triggers
    for (const { rows, row } of kept) {
      const [now] = (
        await rows.pageWithout(trx, { prefix: Buffer.of(0xff), after: null, limit: 1_000 })
      ).filter(({ key }) => key === row.key);
      assert(now);
      if (!now.sealed.equals(row.sealed)) assert(await rows.replace(trx, now, row.sealed));
    }
    await sql`delete from master_keys`.execute(trx);
    const [first] = createKeys([OLD]).key_ring.keys;
    await sql`update installation set key_check = ${first?.check}`.execute(trx);
  });
  deps.key_ring.sealWith({ key_check: createKeys([OLD]).key_ring.sealing().check });
}

/** A process of its own, as a command is one. */
async function asCommand<T>(keys: Keys, at: Db, work: (deps: Keys & { db: Db }) => Promise<T>): Promise<T> {
  await requireKeys({ db: at, ...keys, log: deps.log });
  return work({ db: at, ...keys });
}
const rotate = (keys = both(), at = db) => asCommand(keys, at, rotateKeys);
const rewrap = (keys = both(), at = db) => asCommand(keys, at, rewrapKeys);

before(async () => {
  const text = (key: Buffer) => key.toString('base64');
  world = await startInProcess({ MASTER_KEY: text(NEXT), MASTER_KEY_PREVIOUS: text(OLD) });
  ({ deps } = world);
  ({ db } = deps);
  url = deps.config.database_url ?? '';
  await sealEverywhere();
  for (const each of await allRows()) {
    kept.push(each);
    secrets_of.set(`${each.rows.table} ${each.row.key}`, opened(both(), each.row));
  }
});
beforeEach(undoRotations);
after(() => world.close());

it('every column that has something sealed belongs to the rotation, and its rows are guarded', async () => {
  const { rows: columns } = await sql<{ table_name: string }>`
    select table_name::text from information_schema.columns
      join information_schema.tables using (table_schema, table_name)
     where table_schema = current_schema and column_name like 'sealed%' and table_type = 'BASE TABLE' order by 1`.execute(
    db,
  );
  const { rows: guarded } = await sql<{ table_name: string }>`
    select tgrelid::regclass::text as table_name from pg_trigger
     where tgname = tgrelid::regclass::text || '_sealed' and tgenabled = 'O' order by 1`.execute(db);
  const tables = SEALED.map(({ table }) => table).sort();
  assert.deepEqual(
    columns.map(({ table_name }) => table_name),
    tables,
  );
  assert.deepEqual(
    guarded.map(({ table_name }) => table_name),
    tables,
  );
  assert.deepEqual(
    [...new Set(kept.map(({ rows }) => rows.table))].sort(),
    tables,
    'the tests have rows of each',
  );
});

it('a rotation with all its rows: the new key alone opens everything', async () => {
  assert.equal(await rotate(), true);
  const { resealed, broken, is_done } = await rewrap();
  assert.deepEqual([resealed, broken, is_done], [kept.length, [], true]);
  await assertAllOpen(createKeys([NEXT]));
  for (const { row } of await allRows()) assert.equal(namedKeyOf(row.sealed), NEXT_ID);
});

describe('a start, or a command', () => {
  const STRANGE = randomBytes(32);
  const starts = (...keys: [Buffer, ...Buffer[]]) => requireKeys({ db, ...createKeys(keys), log: deps.log });

  it('is refused with keys that are not those of the database, before a rotation', async () => {
    await starts(OLD);
    await starts(NEXT, OLD);
    await assert.rejects(starts(NEXT), /MASTER_KEY is not the one .* give both keys/); // as with a backup from before a rotation
    await assert.rejects(starts(NEXT, STRANGE), /MASTER_KEY is not the one/);
    await assert.rejects(
      starts(OLD, NEXT),
      /MASTER_KEY_PREVIOUS is key \w{8}, which this database never had/,
    );
  });

  it('is refused without a key that rows may need, until rewrap has done them all', async () => {
    await rotate();
    await starts(NEXT, OLD);
    await starts(OLD, NEXT);
    await assert.rejects(
      starts(NEXT),
      /may have rows that only key \w{8} opens; given is \w{8}\. Set MASTER_KEY_PREVIOUS/,
    );
    await assert.rejects(starts(OLD), /MASTER_KEY is not the one .* The database seals with key \w{8}/);
    await assert.rejects(starts(STRANGE, NEXT), /may have rows that only key/);
    await rewrap();
    await starts(NEXT);
    await starts(STRANGE, NEXT);
    await assert.rejects(starts(NEXT, STRANGE), /which this database never had/);
  });

  it('is refused with two keys whose ids are the same by chance', async () => {
    const numbered = (number: number) => {
      const key = Buffer.alloc(32, 7);
      key.writeUInt32BE(number, 28);
      return key;
    };
    await assert.rejects(
      starts(numbered(40_484), numbered(76_427)), // found by trying
      /MASTER_KEY and MASTER_KEY_PREVIOUS both have the id e14e9ba9, by chance\./,
    );
  });

  it('is refused with a previous key on a new database', async () => {
    const empty = await createTestDatabase();
    const { connections, close } = openConnections(empty.url, deps.log);
    try {
      const at = { db: connections.db, log: deps.log };
      await requireKeys({ ...at, ...createKeys([OLD]) });
      await assert.rejects(requireKeys({ ...at, ...both() }), /This database is new and had no key before/);
    } finally {
      await close();
      await empty.drop();
    }
  });

  it('of rotate asks for the new key, and of rewrap finds nothing to do before a rotation', async () => {
    await assert.rejects(
      rotate(createKeys([OLD])),
      /seals already\. Start every process with a new key as MASTER_KEY/,
    );
    for (const keys of [createKeys([OLD]), both()])
      assert.deepEqual(await rewrap(keys), { resealed: 0, broken: [], is_done: true });
    for (const { rows, row } of await allRows())
      assert.deepEqual(
        row.sealed,
        kept.find((each) => each.rows === rows && each.row.key === row.key)?.row.sealed,
      );
    await assertAllOpen(createKeys([OLD]));
  });

  it('of rotate changes nothing the second time', async () => {
    assert.equal(await rotate(), true);
    const known = await listMasterKeys(db);
    assert.equal(await rotate(), false);
    assert.deepEqual(await listMasterKeys(db), known);
  });

  it('of rotate is refused while a session does not name the new key', async () => {
    const nameless = openConnections(url, deps.log);
    const unaware = openConnections(url, deps.log, sessionName(['0a1b2c3d']));
    try {
      await nameless.connections.db.selectFrom('installation').selectAll().execute();
      await assert.rejects(rotate(), /Another command is connected/);
      await unaware.connections.db.selectFrom('installation').selectAll().execute();
      await assert.rejects(rotate(), /These processes do not know key \w{8}: \S+\/\d+\./);
    } finally {
      await Promise.all([nameless.close(), unaware.close()]);
    }
    await eventually('the sessions have ended', async () => {
      const { nameless: left, processes } = await runningProcesses(db);
      return left === 0 && processes.every(({ key_ids }) => key_ids.length === 2);
    });
    assert.equal(await rotate(), true);
  });

  it('of status says the next step', async () => {
    const next = async (keys: Keys, overlap_seconds = 3_600) =>
      (await asCommand(keys, db, (at) => readRotation(at, overlap_seconds))).next;
    assert.equal(await next(createKeys([OLD])), null);
    assert.match((await next(both())) ?? '', /^"teller keys rotate" lets key \w{8} seal$/);
    await rotate();
    assert.match((await next(both())) ?? '', /^"teller keys rewrap" seals every row again$/);
    await rewrap();
    assert.match((await next(both())) ?? '', /^after \S+Z, take MASTER_KEY_PREVIOUS \(key \w{8}\) away/);
    assert.match(
      (await next(both(), 0)) ?? '',
      /^take MASTER_KEY_PREVIOUS \(key \w{8}\) away from every process$/,
    );
    assert.equal(await next(createKeys([NEXT])), null);
  });
});

describe('a process that dies at a statement', () => {
  const name = sessionName(both().key_ring.keys.map(({ id }) => id));

  for (const when of ['before', 'after'] as const) {
    it(`${when} its effect, of a rotation: the old key or the new one seals, and the next run continues`, async () => {
      let deaths = 0;
      for (let at = 1; ; at++) {
        await undoRotations();
        const died = await diesAt({ url, name }, { at, when }, (dying) => rotate(both(), dying));
        await assertAllOpen(both());
        await requireKeys({ db, ...both(), log: deps.log });
        await rotate();
        assert.equal((await rewrap()).is_done, true);
        await assertAllOpen(createKeys([NEXT]));
        if (!died) break;
        deaths++;
      }
      assert(deaths > 8, `${deaths} statements`);
    });

    it(`${when} its effect, of rewrap: every row opens, and the next run does the rest`, async () => {
      let deaths = 0;
      for (let at = 1; ; at++) {
        await undoRotations();
        await rotate();
        const died = await diesAt({ url, name }, { at, when }, (dying) => rewrap(both(), dying));
        await assertAllOpen(both());
        const done = (await allRows()).filter(({ row }) => namedKeyOf(row.sealed) === NEXT_ID).length;
        const { resealed, is_done } = await rewrap();
        assert.deepEqual([resealed, is_done], [kept.length - done, true]);
        await assertAllOpen(createKeys([NEXT]));
        if (!died) break;
        deaths++;
      }
      assert(deaths > kept.length, `${deaths} statements`);
    });
  }
});

describe('beside others', () => {
  it('two runs at once seal each row once, and both say that all is done', async () => {
    await rotate();
    const runs = await Promise.all([rewrap(), rewrap(), rewrap()]);
    assert.equal(
      runs.reduce((sum, { resealed }) => sum + resealed, 0),
      kept.length,
    );
    for (const { is_done } of runs) assert(is_done);
    await assertAllOpen(createKeys([NEXT]));
  });

  it('no other key begins to seal between the last look at the rows and the note that the key before is left', async (t) => {
    await rotate();
    const last = SEALED.at(-1) as SealedRows;
    const count = last.countWithout;
    let refusal: unknown;
    t.mock.method(last, 'countWithout', async (...args: Parameters<typeof count>) => {
      const counted = await count(...args);
      const rotating = db.transaction().execute(async (trx) => {
        await sql`set local lock_timeout = '200ms'`.execute(trx);
        await sql`select from installation for update`.execute(trx);
      });
      refusal = await rotating.catch((error) => error);
      return counted;
    });
    assert.equal((await rewrap()).is_done, true);
    assert.match(String(refusal), /lock timeout/);
  });

  it('two rotations at once: one is the first, and the key seals once', async () => {
    const rotated = await Promise.allSettled([rotate(), rotate()]);
    const changed = rotated.filter((each) => each.status === 'fulfilled' && each.value);
    assert.equal(changed.length, 1);
    assert.equal((await listMasterKeys(db)).length, 2);
  });

  it('a row that changes between its reading and its replacement keeps the change', async () => {
    await rotate();
    const { rows, row } = kept[0] as (typeof kept)[0];
    const keys = both();
    await requireKeys({ db, ...keys, log: deps.log });
    const owner = { id: row.sealed_for, public_key: publicKeyOf(row.account ?? '') };
    assert.equal(await rows.replace(db, row, await keys.vault.reseal(row.sealed, owner)), true);
    assert.equal(await rows.replace(db, row, await keys.vault.reseal(row.sealed, owner)), false);
  });

  it('a rotation waits for a row that is being inserted, and that row is sealed again with the others', async () => {
    let rotating: Promise<boolean> | undefined;
    const id = 'whe_under_way';
    const { wallet_id } = await db
      .selectFrom('webhook_endpoints')
      .select('wallet_id')
      .executeTakeFirstOrThrow();
    await db.transaction().execute(async (trx) => {
      const sealed_secret = deps.secrets.seal(id, 'whsec_abc');
      await trx
        .insertInto('webhook_endpoints')
        .values({ id, wallet_id, ...ENDPOINT, sealed_secret })
        .execute();
      rotating = rotate();
      await eventually('the rotation waits', async () => {
        const { rows } = await sql`
          select from pg_stat_activity where wait_event_type = 'Lock' and query ilike '%installation%for update%'`.execute(
          db,
        );
        return rows.length > 0;
      });
    });
    assert.equal(await rotating, true);
    assert.equal((await rewrap()).resealed, kept.length + 1);
    const { sealed_secret } = await db
      .selectFrom('webhook_endpoints')
      .select('sealed_secret')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    assert.equal(createKeys([NEXT]).secrets.open(id, sealed_secret), 'whsec_abc');
    await db.deleteFrom('webhook_endpoints').where('id', '=', id).execute();
  });

  it('a wallet whose making a rotation overtakes is made with the new key, and the journal has one key', async () => {
    const recorded: NewJournalKey[] = [];
    const key_journal = {
      ...NO_KEY_JOURNAL,
      async record(keys: NewJournalKey[]) {
        recorded.push(...keys);
        if (recorded.length === 1) await rotate();
      },
    };
    const stellar = { ...deps.stellar, fund: () => Promise.reject(new Error('no friendbot')) };
    const made = await createWallet(
      { ...deps, stellar, key_journal },
      { owner_id: await team(), name: 'W' },
      ACTOR,
    );
    assert.deepEqual(
      recorded.map(({ id }) => id),
      [made.wallet.id, made.wallet.id],
    );
    const { sealed_seed } = await db
      .selectFrom('wallets')
      .select('sealed_seed')
      .where('id', '=', made.wallet.id)
      .executeTakeFirstOrThrow();
    assert.deepEqual(recorded[1]?.sealed_seed, sealed_seed);
    assert(deps.key_ring.hasSealedSeed(sealed_seed));
    await sql`delete from api_keys where wallet_id = ${made.wallet.id}`.execute(db);
    await sql`delete from wallets where id = ${made.wallet.id}`.execute(db);
  });

  it('a process without the new key makes nothing, and says why', async () => {
    const unaware = createKeys([OLD]);
    const own = { ...deps, ...unaware };
    const withSealingKey = createWithSealingKey(own);
    await rotate();
    const count = await db
      .selectFrom('wallets')
      .select(({ fn }) => fn.countAll().as('n'))
      .executeTakeFirst();
    await assert.rejects(
      createWallet({ ...own, withSealingKey }, { owner_id: await team(), name: 'W' }, ACTOR),
      (error) => error instanceof InstallationMismatch && /The database seals with key/.test(error.message),
    );
    assert.deepEqual(
      await db
        .selectFrom('wallets')
        .select(({ fn }) => fn.countAll().as('n'))
        .executeTakeFirst(),
      count,
    );
  });

  it('another error of the work is given on, and the work is not repeated', async () => {
    let runs = 0;
    await assert.rejects(
      deps.withSealingKey(async () => {
        runs++;
        throw new Error('of its own');
      }),
      /of its own/,
    );
    assert.equal(runs, 1);
  });
});

describe('the key journal', () => {
  it('has each key with the new master key in the end, also one that the database lacks', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'journal-')), 'keys');
    const journalOf = ({ key_ring }: Keys) => openKeyJournal(path, key_ring, async () => 7);
    const before_it = await journalOf(deps);
    const of_wallet = { owner_id: await team(), name: 'W', sponsor: null, created_at: new Date() };
    const { public_key, sealed_seed } = await deps.vault.generate('wal_lacking');
    const lacking = {
      id: 'wal_lacking',
      account: accountOf(public_key),
      sealed_seed,
      kind: 'wallet' as const,
    };
    await completeJournal({ ...deps, key_journal: before_it });
    await before_it.record([{ ...lacking, ...of_wallet, ledger: 5 }]);
    let recorded = 0;
    for await (const _ of before_it.read()) recorded++;
    await before_it.close();

    await rotate();
    const keys = both();
    await requireKeys({ db, ...keys, log: deps.log });
    const key_journal = await journalOf(keys);
    const complete = () => completeJournal({ db, key_journal, ...keys });
    assert.deepEqual(
      await complete(),
      { added: 0, resealed: 1 },
      'the rows are not sealed with the new key yet',
    );
    await rewrap();
    assert.deepEqual(await complete(), { added: 0, resealed: recorded - 1 });
    assert.deepEqual(await complete(), { added: 0, resealed: 0 });
    await key_journal.close();

    const alone = createKeys([NEXT]);
    const in_the_end = await journalOf(alone);
    const verified = await verifyKeys({ db, key_journal: in_the_end, ...alone });
    assert.deepEqual([verified.broken, verified.recorded], [[], 2 * recorded]);
    const [missing] = await missingKeys({ db, key_journal: in_the_end });
    assert.deepEqual([missing?.id, missing?.ledger], ['wal_lacking', 5]);
    assert(alone.vault.opens(missing?.sealed_seed ?? Buffer.alloc(0), { id: 'wal_lacking', public_key }));
    await in_the_end.close();
  });
});

describe('back to the old key', () => {
  it('from any row of rewrap, the old key alone opens everything in the end', async () => {
    for (let at = 3; at < kept.length; at += 3) {
      await undoRotations();
      await rotate();
      const name = sessionName(both().key_ring.keys.map(({ id }) => id));
      await diesAt({ url, name }, { at, when: 'after' }, (dying) => rewrap(both(), dying));
      await rotate(backwards());
      await assertAllOpen(both());
      assert.equal((await rewrap(backwards())).is_done, true);
      await assertAllOpen(createKeys([OLD]));
      await requireKeys({ db, ...createKeys([OLD]), log: deps.log });
    }
  });

  it('a run of rewrap that it overtakes ends, and loses no row', async () => {
    await rotate();
    const running = both();
    await requireKeys({ db, ...running, log: deps.log });
    await rotate(backwards());
    await assert.rejects(
      rewrapKeys({ db, ...running }),
      /Another master key or key provider has begun to seal/,
    );
    await assertAllOpen(both());
  });

  it('a key that was left does not come back', async () => {
    await rotate();
    await rewrap();
    await assert.rejects(rotate(backwards()), /was left at .*Make a new key/);
  });
});

it('a row that no key opens is named and stays as it is, and the old key is not left', async () => {
  await rotate();
  const { rows, row } = kept[0] as (typeof kept)[0];
  const spoilt = Buffer.from(row.sealed);
  spoilt[40] = (spoilt[40] ?? 0) ^ 1;
  await db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx);
    assert(await rows.replace(trx, row, spoilt));
  });
  const { resealed, broken, is_done } = await rewrap();
  assert.deepEqual([resealed, is_done], [kept.length - 1, false]);
  assert.deepEqual(broken, [{ kind: rows.kind, key: row.key }]);
  const left = (await listMasterKeys(db)).map(({ left_at }) => left_at);
  assert.deepEqual(left, [null, null]);
});
