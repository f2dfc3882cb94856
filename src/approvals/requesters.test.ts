/** Who is still the one who asked, and whose requests end. */
import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import { createTestDatabase } from '../../test/support/postgres.ts';
import { changeRights, endMembership, insertMember } from '../auth/teams/team-store.ts';
import { openDatabase } from '../db/database.ts';
import { createLog } from '../lib/log.ts';
import { reasonToEnd } from './requesters.ts';

const database = await createTestDatabase();
const opened = openDatabase(database.url, createLog('silent', false));
const { db } = opened;
after(async () => {
  await opened.close();
  await database.drop();
});

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute));
const [JOINED, ASKED, LATER] = [at(0), at(1), at(2)];
const EXPIRES = at(60);
const end = (requested_by: string | null, team_id: string, now: Date) =>
  reasonToEnd(db, { requested_by, team_id, created_at: ASKED, expires_at: EXPIRES }, now);
const gone = async (requested_by: string | null, team_id = 'usr_team') =>
  (await end(requested_by, team_id, at(59))) === 'requester_removed';
const join = (user_id: string, team_id: string, now: Date) =>
  db.transaction().execute(async (trx) => {
    const user = { id: user_id, email: `${user_id}@example.com`, email_folded: `${user_id}@example.com` };
    await trx
      .insertInto('users')
      .values({ ...user, name: user_id, password_hash: '' })
      .onConflict((known) => known.doNothing())
      .execute();
    await insertMember(trx, { user_id, team_id, role: 'operator', wallet_ids: null, now });
  });
const leave = (user_id: string) => db.transaction().execute((trx) => endMembership(trx, user_id, LATER));

for (const id of ['usr_team', 'usr_other'])
  await db
    .insertInto('users')
    .values({ id, email: id, email_folded: id, name: id, password_hash: '' })
    .execute();

test('a member who asked goes with the membership: back in the team, or in another one, the member is another requester', async () => {
  await join('usr_a', 'usr_team', JOINED);
  assert.equal(await gone('usr_a'), false);
  assert.equal(await gone('usr_a', 'usr_other'), true);
  await leave('usr_a');
  assert.equal(await gone('usr_a'), true);
  await join('usr_a', 'usr_team', LATER);
  assert.equal(await gone('usr_a'), true);
  await leave('usr_a');
  await join('usr_a', 'usr_other', at(3));
  assert.equal(await gone('usr_a'), true);
});

test('other rights take back nothing; a disabled member is gone until somebody enables them', async () => {
  await join('usr_b', 'usr_team', JOINED);
  await db
    .transaction()
    .execute((trx) => changeRights(trx, 'usr_b', { role: 'viewer', wallet_ids: null, now: LATER }));
  assert.equal(await gone('usr_b'), false);
  const set = (disabled_at: Date | null) =>
    db
      .updateTable('users')
      .set({ disabled_at, enabled_password_hash: disabled_at && '' })
      .where('id', '=', 'usr_b')
      .execute();
  await set(LATER);
  assert.equal(await gone('usr_b'), true);
  await set(null);
  assert.equal(await gone('usr_b'), false);
});

test('a service user is gone once it is removed or disabled, and for another team', async () => {
  const service_user = { id: 'svu_a', team_id: 'usr_team', name: 'a program', role: 'operator' as const };
  await db.insertInto('service_users').values(service_user).execute();
  assert.deepEqual([await gone('svu_a'), await gone('svu_a', 'usr_other')], [false, true]);
  const set = (change: object) =>
    db.updateTable('service_users').set(change).where('id', '=', 'svu_a').execute();
  await set({ disabled_at: LATER, disabled_by: 'team' });
  assert.equal(await gone('svu_a'), true);
  await set({ disabled_at: null, disabled_by: null, removed_at: LATER });
  assert.equal(await gone('svu_a'), true);
});

test('where nobody knows the requester, nobody is gone; the time ends every request', async () => {
  assert.equal(await gone(null), false);
  assert.equal(await end(null, 'usr_team', EXPIRES), 'approval_expired');
});
