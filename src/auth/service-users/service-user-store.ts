/** The only writer of service_users, service_user_secrets and service_user_credentials. */

import { sql } from 'kysely';
import type { Db, Trx } from '../../db/database.ts';
import { newestFirst, type PageRequest } from '../../db/newest-first.ts';
import type { SERVICE_ROLES } from '../teams/roles.ts';
import type { PublicKey } from './public-keys.ts';

export type ServiceRole = (typeof SERVICE_ROLES)[number];

/** `wallet_ids`: null for every wallet of the team. `allowed_ips`: CIDR blocks; null for every address. */
export type ServiceRights = {
  role: ServiceRole;
  wallet_ids: string[] | null;
  allowed_ips: string[] | null;
};

export type ServiceUser = ServiceRights & {
  id: string;
  team_id: string;
  name: string;
  public_keys: PublicKey[];
  created_by: string | null;
  created_at: Date;
  last_used_at: Date | null;
  disabled_at: Date | null;
  disabled_by: 'team' | 'operator' | null;
};

export type Secret = {
  id: string;
  service_user_id: string;
  last_four: string;
  created_at: Date;
  last_used_at: Date | null;
};

export async function insertServiceUser(
  trx: Trx,
  { public_keys, ...row }: Omit<ServiceUser, 'last_used_at' | 'disabled_at' | 'disabled_by'>,
): Promise<void> {
  await trx
    .insertInto('service_users')
    .values({ ...row, public_keys: JSON.stringify(public_keys) })
    .execute();
}

export async function countServiceUsers(db: Db, team_id: string): Promise<number> {
  const { count } = await db
    .selectFrom('service_users')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('team_id', '=', team_id)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Lists the service users of a team, newest first, disabled ones too. */
export async function listServiceUsers(db: Db, team_id: string, page: PageRequest): Promise<ServiceUser[]> {
  const { where, order } = newestFirst('service_users', { team_id }, page.before);
  const rows = await selectServiceUsers(db)
    .where(sql<boolean>`${where}`)
    .orderBy(order)
    .limit(page.limit)
    .execute();
  return rows.map(readRow);
}

/** Lists the service users of every team with the names of the teams, oldest first. */
export async function listAllServiceUsers(db: Db): Promise<(ServiceUser & { team_name: string })[]> {
  const rows = await selectServiceUsers(db)
    .innerJoin('teams', 'teams.id', 'team_id')
    .select('teams.name as team_name')
    .orderBy('service_users.id')
    .execute();
  return rows.map((row) => ({ ...readRow(row), team_name: row.team_name }));
}

/** Finds a service user that is not removed. `team_id`: undefined for any team. */
export async function findServiceUser(
  db: Db,
  id: string,
  team_id: string | undefined,
): Promise<ServiceUser | undefined> {
  const row = await selectServiceUsers(db)
    .where('service_users.id', '=', id)
    .$if(team_id !== undefined, (query) => query.where('team_id', '=', team_id ?? ''))
    .executeTakeFirst();
  return row && readRow(row);
}

/** Returns the team of a service user, also of a removed one: the team shall read who still uses the secret of that one. */
export async function teamOfServiceUser(db: Db, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('service_users').select('team_id').where('id', '=', id).executeTakeFirst();
  return row?.team_id;
}

/** Locks the row until the transaction ends: changes of a service user, and its exchanges, are one after the other. */
export async function lockServiceUser(trx: Trx, id: string): Promise<ServiceUser | undefined> {
  const row = await selectServiceUsers(trx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
  return row && readRow(row);
}

/**
 * Keeps a service user from being disabled, removed or changed until the transaction ends. Returns false when it is disabled or
 * removed already.
 */
export async function holdServiceUser(trx: Trx, id: string): Promise<boolean> {
  const row = await trx
    .selectFrom('service_users')
    .select(['disabled_at', 'removed_at'])
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst();
  return row !== undefined && row.disabled_at === null && row.removed_at === null;
}

function selectServiceUsers(db: Db) {
  return db
    .selectFrom('service_users')
    .select(['service_users.id', 'team_id', 'service_users.name', 'role', 'wallet_ids', 'allowed_ips'])
    .select(['public_keys', 'created_by', 'service_users.created_at', 'last_used_at'])
    .select(['disabled_at', 'disabled_by'])
    .where('removed_at', 'is', null);
}

type Row = Omit<ServiceUser, 'public_keys'> & { public_keys: string };

function readRow<R extends Row>(row: R): ServiceUser {
  const { id, team_id, name, role, wallet_ids, allowed_ips, created_by, created_at } = row;
  const { last_used_at, disabled_at, disabled_by } = row;
  const public_keys = JSON.parse(row.public_keys) as PublicKey[];
  return {
    id,
    team_id,
    name,
    role,
    wallet_ids,
    allowed_ips,
    public_keys,
    created_by,
    created_at,
    last_used_at,
    disabled_at,
    disabled_by,
  };
}

export async function updateServiceUser(
  trx: Trx,
  { id, name, role, wallet_ids, allowed_ips, public_keys, disabled_at, disabled_by }: ServiceUser,
): Promise<void> {
  await trx
    .updateTable('service_users')
    .set({ name, role, wallet_ids, allowed_ips, public_keys: JSON.stringify(public_keys) })
    .set({ disabled_at, disabled_by })
    .where('id', '=', id)
    .execute();
}

/** Marks a service user as removed, and deletes its secrets. The row stays, so that what the service user did can be told. */
export async function markRemoved(trx: Trx, id: string, now: Date): Promise<void> {
  await trx.updateTable('service_users').set({ removed_at: now }).where('id', '=', id).execute();
  await trx.deleteFrom('service_user_secrets').where('service_user_id', '=', id).execute();
}

// who knows a credential; triggers record its end

/** Records that these users know the credential, and nobody else: for approvals they and the service user are one. */
export async function noteKnown(
  trx: Trx,
  {
    service_user_id,
    credential,
    known_to,
  }: { service_user_id: string; credential: string; known_to: string[] },
): Promise<void> {
  await trx
    .insertInto('service_user_credentials')
    .values({ service_user_id, credential, known_to })
    .onConflict((conflict) =>
      conflict.columns(['service_user_id', 'credential']).doUpdateSet({ known_to, ended_at: null }),
    )
    .execute();
}

/**
 * Returns the ids of all users who are recorded as knowing the public key, of any service user: whoever has its private key stays the
 * same.
 */
export async function everKnown(trx: Trx, thumbprint: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('service_user_credentials')
    .select(sql<string>`unnest(known_to)`.as('user_id'))
    .where('credential', '=', thumbprint)
    .execute();
  return [...new Set(rows.map(({ user_id }) => user_id))];
}

// secrets

const secretColumns = ['id', 'service_user_id', 'last_four', 'created_at', 'last_used_at'] as const;

export async function insertSecret(
  trx: Trx,
  secret: Omit<Secret, 'last_used_at'> & { secret_hash: Buffer },
): Promise<void> {
  await trx.insertInto('service_user_secrets').values(secret).execute();
}

/** Lists the secrets of these service users, oldest first. */
export async function listSecrets(db: Db, service_user_ids: string[]): Promise<Secret[]> {
  return db
    .selectFrom('service_user_secrets')
    .select(secretColumns)
    .where('service_user_id', '=', sql<string>`any(${service_user_ids}::text[])`)
    .orderBy('id')
    .execute();
}

/** Finds a secret by its hash. The database compares the hashes: SHA-256 of 256 random bits tells nothing by the time it takes. */
export async function findSecret(
  db: Db,
  service_user_id: string,
  secret_hash: Buffer,
): Promise<Secret | undefined> {
  return db
    .selectFrom('service_user_secrets')
    .select(secretColumns)
    .where('service_user_id', '=', service_user_id)
    .where('secret_hash', '=', secret_hash)
    .executeTakeFirst();
}

export async function deleteSecret(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('service_user_secrets').where('id', '=', id).execute();
}

/**
 * Records the time at which a service user, and the secret that it used, were used last. `secret_id`: null when the credential was a
 * public key.
 */
export async function noteUse(
  trx: Trx,
  { service_user_id, secret_id, now }: { service_user_id: string; secret_id: string | null; now: Date },
): Promise<void> {
  await trx
    .updateTable('service_users')
    .set({ last_used_at: now })
    .where('id', '=', service_user_id)
    .execute();
  if (secret_id === null) return;
  await trx
    .updateTable('service_user_secrets')
    .set({ last_used_at: now })
    .where('id', '=', secret_id)
    .execute();
}
