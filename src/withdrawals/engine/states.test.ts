/** That states.ts names every change of a status: by the text of the statements in src/, and by the database. */
import { strict as assert } from 'node:assert';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createTestDatabase } from '../../../test/support/postgres.ts';
import { type Database, openDatabase } from '../../db/database.ts';
import { newId } from '../../lib/ids.ts';
import { createLog } from '../../lib/log.ts';
import { holdClaims, recordApproval, recordRefusal } from './awaiting-store.ts';
import { keyFingerprint } from './key-fingerprint.ts';
import { OPEN, type Status, TRANSITIONS, type TransitionName, WITH_OUTCOME } from './states.ts';
import {
  insertClaims,
  recordExpired,
  recordKeyTaken,
  recordOutcomes,
  recordSigned,
  undoClaims,
} from './store.ts';
import { insertWalletSources } from './tx-source-store.ts';

const SRC = join(import.meta.dirname, '..', '..');
const NAMES = Object.keys(TRANSITIONS) as TransitionName[];
const STATUSES: Status[] = ['awaiting_approval', ...OPEN, ...WITH_OUTCOME];

type Statement = { file: string; function_name: string; text: string };

/** A statement that writes to withdrawals, in SQL or by kysely. It ends where it is executed. */
const WRITE =
  /(?:\b(?:update|insert\s+into|delete\s+from|merge\s+into)\s+"?withdrawals"?\s|(?:updateTable|insertInto|deleteFrom|mergeInto)\(\s*['"`]withdrawals['"` ])[\s\S]*?\.execute/gi;

function writesIn(file: string, source: string): Statement[] {
  return [...source.matchAll(WRITE)].map(({ 0: text, index }) => {
    const functions = [...source.slice(0, index).matchAll(/^(?:export )?(?:async )?function (\w+)/gm)];
    return { file, function_name: functions.at(-1)?.[1] ?? 'outside a function', text };
  });
}

/** Inserting and deleting a row are transitions too. What `set` is given must be readable here: no variable, no spread. */
function setsStatus({ text }: Statement): boolean {
  if (/^\W*(?:insert|delete|merge)/i.test(text)) return true;
  const set =
    /\.set\(([\s\S]*?)\)\s*\.where/.exec(text)?.[1] ?? /\bset\s([\s\S]*?)\b(?:from|where)\b/.exec(text)?.[1];
  assert(set, `a statement without a readable set: ${text}`);
  return /\bstatus["']?\s*[:=]|\.\.\.|^\s*[\w.]+\s*$/.test(set);
}

const OF_AWAITING = ['holdClaims', 'recordApproval', 'recordRefusal'];
const storeOf = (name: string) => (OF_AWAITING.includes(name) ? 'awaiting-store.ts' : 'store.ts');

test('every statement of src/ that sets a status is in a function of a store that states.ts names, one for each', () => {
  const files = globSync('**/*.ts', { cwd: SRC }).filter((file) => !file.endsWith('.test.ts'));
  const writes = files.flatMap((file) => writesIn(file, readFileSync(join(SRC, file), 'utf8')));
  const found = writes.filter(setsStatus).map(({ file, function_name }) => `${file} ${function_name}`);
  const wanted = NAMES.map((name) => `withdrawals/engine/${storeOf(name)} ${name}`);
  assert.deepEqual(found.sort(), wanted.sort());
});

test('the reader of statements finds a status that is set in any way', () => {
  const sources = [
    "db.updateTable('withdrawals').set({ status: 'failed' }).where('id', '=', id).execute()",
    "db.updateTable('withdrawals').set({ ...row }).where('id', '=', id).execute()",
    "db.updateTable('withdrawals').set(row).where('id', '=', id).execute()",
    "db.insertInto('withdrawals').values(row).execute()",
    "db.deleteFrom('withdrawals').execute()",
    "sql`update withdrawals set sequence = 1, status = 'failed' where id = 1`.execute(db)",
    'sql`with a as (insert into withdrawals select * from b) select 1`.execute(db)',
  ];
  for (const source of sources)
    assert.deepEqual(writesIn('a.ts', `function change() {\n${source}`).map(setsStatus), [true], source);
  const lease =
    "db.updateTable('withdrawals').set({ leased_until: now }).where('status', 'in', OPEN).execute()";
  assert.deepEqual(writesIn('a.ts', lease).map(setsStatus), [false]);
});

test('each guarded statement uses the from-statuses of its own transition', () => {
  for (const file of ['store.ts', 'awaiting-store.ts']) {
    const store = readFileSync(join(import.meta.dirname, file), 'utf8');
    for (const { function_name, text } of writesIn(file, store).filter(setsStatus)) {
      const guards = [...text.matchAll(/isInFromStatusOf\('(\w+)'\)/g)].map(([, name]) => name);
      assert.deepEqual(guards, function_name.startsWith('insert') ? [] : [function_name]);
    }
  }
});

const ACCOUNT = 'GD2375MO5PWRPHTHNS3EYEDKABJXXWLSW47I7BKJMMCYT4V5CJJJYE2F';
const NOW = new Date('2026-03-02T00:30:00Z');
const HASH = 'ab'.repeat(32);

let database: Database;
let drop: () => Promise<void>;
const wallet = { id: newId('wal', NOW), owner_id: newId('usr', NOW), account: ACCOUNT };
before(async () => {
  const created = await createTestDatabase();
  drop = created.drop;
  database = openDatabase(created.url, createLog('silent', false));
  const { db } = database;
  const user = { id: wallet.owner_id, email: 'owner@example.com', name: 'Owner', password_hash: '' };
  await db
    .insertInto('users')
    .values({ ...user, email_folded: user.email })
    .execute();
  const row = { ...wallet, name: 'W', network: 'sandbox' as const, sealed_seed: Buffer.alloc(0) };
  await db.insertInto('wallets').values(row).execute();
  await db.insertInto('withdrawal_cursor').values({ ledger: 10, close_time: 1000n }).execute();
  await insertWalletSources(db, [ACCOUNT]);
});
after(async () => {
  await database.close();
  await drop();
});

const DECISION = { user_id: 'usr_1', comment: null, order_hash: HASH, at: NOW.toISOString() };
const signedColumns = (id: string) => ({
  id,
  tx_source: ACCOUNT,
  operation: 'payment' as const,
  sequence: 1n,
  envelope_xdr: 'AAAA',
  inner_tx_hash: HASH,
  fee_bid_stroops: 100n,
  max_time: 900n,
  signed_ledger: 9,
  signed_at: NOW,
});

/** A withdrawal in this status that holds the wallet's transaction source; one that awaits approvals has none. */
async function rowIn(status: Status): Promise<string> {
  const { db } = database;
  const id = newId('wd', NOW);
  const claim = {
    id,
    wallet_id: wallet.id,
    owner_id: wallet.owner_id,
    idempotency_key: id,
    created_at: NOW,
    operation: 'payment' as const,
    asset_code: 'native',
    asset_issuer: null,
    destination: ACCOUNT,
    amount_stroops: 1n,
    memo_id: null,
    memo_return: null,
    refund_of: null,
  };
  await insertClaims(db, [claim], NOW);
  await db.updateTable('tx_sources').set({ withdrawal_id: id }).execute();
  const { id: _, ...signed } = signedColumns(id);
  const awaiting = { approvals_required: 1, order_hash: HASH, approval_expires_at: NOW };
  const columns =
    status === 'awaiting_approval' ? awaiting : status === 'queued' ? { tx_source: ACCOUNT } : signed;
  const settled_at = status === 'confirmed' || status === 'failed' ? NOW : null;
  await db
    .updateTable('withdrawals')
    .set({ ...columns, status, settled_at })
    .where('id', '=', id)
    .execute();
  return id;
}

/** Tries a transition with everything that it asks for besides the status. */
const ATTEMPTS: Record<
  Exclude<TransitionName, 'insertClaims' | 'insertPaid'>,
  (id: string) => Promise<unknown>
> = {
  undoClaims: (id) =>
    database.db
      .transaction()
      .execute((trx) => undoClaims(trx, [id]))
      .catch(() => null),
  holdClaims: (id) =>
    database.db
      .transaction()
      .execute(async (trx) => {
        await trx
          .updateTable('withdrawals')
          .set({ tx_source: null })
          .where('status', '=', 'queued')
          .execute();
        const needed = { approvals_required: 1, approvals_cause: 'amount' as const };
        await holdClaims(trx, [{ id, ...needed, order_hash: HASH, expires_at: NOW }]);
      })
      .catch(() => null),
  recordApproval: (id) => {
    const approval = { ...DECISION, decision: 'approved' as const };
    const sent = { approval, approvals_required: 1, sends: true };
    return database.db.transaction().execute((trx) => recordApproval(trx, id, sent, NOW));
  },
  recordRefusal: (id) => {
    const rejection = { ...DECISION, decision: 'rejected' as const };
    const refusal = { code: 'rejected' as const, message: 'Rejected.', rejection };
    return database.db
      .transaction()
      .execute((trx) => recordRefusal(trx, id, refusal, { now: NOW, least_close_time: 0n }));
  },
  recordSigned: (id) =>
    recordSigned(database.db, [{ ...signedColumns(id), fee_bump_hash: null }], {
      read_at: 1000n,
      behind_seconds: 15,
      seen_ledger: 10,
      now: NOW,
      until: NOW,
    }),
  recordOutcomes: (id) => {
    const paid = { successful: true, ledger: 10, fee_stroops: 100n, fee_account: ACCOUNT, failure: null };
    return recordOutcomes(database.db, [{ id, ...paid, stellar_tx_hash: HASH, inner_tx_hash: HASH }], NOW);
  },
  recordExpired: (id) => recordExpired(database.db, id, { code: 'expired', message: 'Expired.' }, NOW),
  async recordKeyTaken(id) {
    const { db } = database;
    const paid = { wallet_id: wallet.id, key_fingerprint: keyFingerprint(wallet.id, id), ledger: 1 };
    await db
      .insertInto('unmatched_transactions')
      .values({ ...paid, hash: id, envelope_xdr: '', result_xdr: '' })
      .execute();
    const recorded = await recordKeyTaken(db, id, NOW);
    await db.deleteFrom('unmatched_transactions').execute();
    return recorded;
  },
};

const statusOf = async (id: string): Promise<Status | null> => {
  const row = await database.db
    .selectFrom('withdrawals')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.status ?? null;
};

for (const [name, attempt] of Object.entries(ATTEMPTS)) {
  const { from, to } = TRANSITIONS[name as keyof typeof ATTEMPTS];
  for (const status of STATUSES) {
    const starts = (from as readonly Status[]).includes(status);
    test(`${name} ${starts ? 'changes' : 'leaves'} a withdrawal that is ${status}`, async () => {
      const id = await rowIn(status);
      await attempt(id);
      const reached = await statusOf(id);
      if (!starts) assert.equal(reached, status);
      else
        assert(
          to === null ? reached === null : (to as readonly (Status | null)[]).includes(reached),
          `${reached}`,
        );
    });
  }
}

test('a withdrawal that awaits approvals is not refused while a ledger may have it', async () => {
  const { db } = database;
  const id = await rowIn('awaiting_approval');
  const refusal = { code: 'approval_expired' as const, message: 'Over.', rejection: null };
  const refused = (least_close_time = 0n) =>
    db.transaction().execute((trx) => recordRefusal(trx, id, refusal, { now: NOW, least_close_time }));
  assert.equal(await refused(1001n), false, 'the ledgers are not processed so far');
  const paid = { wallet_id: wallet.id, key_fingerprint: keyFingerprint(wallet.id, id), ledger: 1 };
  await db
    .insertInto('unmatched_transactions')
    .values({ ...paid, hash: id, envelope_xdr: '', result_xdr: '' })
    .execute();
  assert.equal(await refused(), false, 'a transaction has its key');
  await db.deleteFrom('unmatched_transactions').execute();
  assert.equal(await refused(), true);
  assert.equal(await refused(), false, 'it is failed already');
});

test('a claim makes a queued withdrawal', async () => {
  assert.equal(await statusOf(await rowIn('queued')), 'queued');
});
