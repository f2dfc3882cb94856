/** What a simulation plays on: accounts on the ledger, and the owners and wallets in the database. */
import { type Keypair, Operation, StrKey } from '@stellar/stellar-sdk/base';
import { seededKeypair } from '../../sandbox/virtual-clock.ts';
import type { Role } from '../../src/auth/teams/roles.ts';
import { insertMember } from '../../src/auth/teams/team-store.ts';
import type { User } from '../../src/auth/users/user-store.ts';
import type { Config } from '../../src/config.ts';
import type { Db } from '../../src/db/database.ts';
import { bindInstallation } from '../../src/db/installation.ts';
import { newId } from '../../src/lib/ids.ts';
import { accountOf } from '../../src/stellar/address.ts';
import type { Vault } from '../../src/vault/vault.ts';
import { toUnits } from '../support/ledger.ts';
import type { Random } from '../support/random.ts';
import { type Market, openMarket } from './market.ts';
import type { SimulatedNetwork } from './simulated-network.ts';
import { applyOperations, RICH_STROOPS } from './stage.ts';

/** The login of a user who is the owner of a team of one. */
export function loginOf({ id }: User) {
  return { kind: 'login' as const, member: { team_id: id, wallet_ids: null } };
}

export type SimulatedWallet = { id: string; account: string; owner: User };

/** A user that acts in a team. `program`: a service user, which asks and decides nothing. */
export type SimulatedMember = { id: string; team_id: string; role: Role; program: boolean };

export type SimulatedAccounts = Market & {
  owners: User[];
  /** Of the owners' teams, the owners among them; none where nothing needs approvals. */
  members: SimulatedMember[];
  wallets: SimulatedWallet[];
  /** What the wallets had before anything was read. */
  opening: Map<string, bigint>;
  receivers: Keypair[];
  /** Takes nothing without a memo. */
  careful: Keypair;
  /** Outbids us, uses what it knows of our transactions, and has money enough. */
  rival: Keypair;
  /** Others who want a place in the ledger. */
  rivals: Keypair[];
  /** Pays for channels, and what TREASURY_PAYS names. */
  treasury: Keypair;
  /** Accounts of the pool. */
  channels: string[];
};

/** Enough for a handful of payments. */
const POOR_STROOPS = 200_000_000n;

export async function createAccounts(world: {
  seed: string;
  network: SimulatedNetwork;
  db: Db;
  vault: Vault;
  key_check: Buffer;
  config: Config;
  random: Random;
  count: number;
  /** How many of the wallets have no account on the ledger at the start. */
  unborn: number;
  channels: number;
  /** Whether the owners have others in their teams. */
  teams: boolean;
  keyOf: (account: string) => Keypair | undefined;
  now: Date;
}): Promise<SimulatedAccounts> {
  const { network, random, seed } = world;
  network.close();
  const receivers = [0, 1, 2].map((index) => seededKeypair(seed, index));
  const careful = seededKeypair(seed, 10);
  const rival = seededKeypair(seed, 11);
  const rivals = Array.from({ length: 8 }, (_, index) => seededKeypair(`${seed}/rivals`, index));
  const owners = [await addOwner(world, 'one'), await addOwner(world, 'two')];
  const members: SimulatedMember[] = [];
  for (const owner of world.teams ? owners : []) members.push(...(await addTeam(world, owner)));
  const wallets: SimulatedWallet[] = [];
  for (let left = world.count; left > 0; left--) {
    wallets.push(await addWallet(world, random.pick(owners)));
  }
  const born = wallets.slice(0, wallets.length - world.unborn);
  const create = (destination: string, stroops: bigint) =>
    Operation.createAccount({ destination, startingBalance: toUnits(stroops) });
  applyOperations(network, network.root, [
    ...[...receivers, careful, rival, ...rivals].map((key) => create(key.publicKey(), RICH_STROOPS)),
    ...born.map(({ account }) => create(account, random.chance(0.2) ? POOR_STROOPS : RICH_STROOPS)),
  ]);
  const treasury = await addTreasury(world);
  const channels = await addChannels(world, treasury);
  applyOperations(network, careful, [Operation.manageData({ name: 'config.memo_required', value: '1' })]);
  const keys = born.flatMap(({ account }) => world.keyOf(account) ?? []);
  const market = openMarket({ network, seed, random, wallets: keys, receivers });
  const { network: name, passphrase } = world.config;
  await bindInstallation(world.db, { network: name, passphrase, key_check: world.key_check }, async () => ({
    sequence: network.latest.sequence,
    hash: Buffer.from(network.network.latest.hash).toString('hex'),
  }));
  const opening = new Map(
    wallets.map(({ account }) => [account, network.balanceOf(StrKey.decodeEd25519PublicKey(account))]),
  );
  await keepOpening(world, wallets, opening);
  return {
    owners,
    members,
    wallets,
    opening,
    ...market,
    receivers,
    careful,
    rival,
    rivals,
    treasury,
    channels,
  };
}

/** As a person accepts it (`teller reconcile accept`) who knows where it came from. */
async function keepOpening(
  { db, network, now }: { db: Db; network: SimulatedNetwork; now: Date },
  wallets: SimulatedWallet[],
  opening: Map<string, bigint>,
): Promise<void> {
  const { sequence: ledger } = network.latest;
  const nothing = { deposits_stroops: 0n, withdrawals_stroops: 0n, fees_stroops: 0n, difference_stroops: 0n };
  const rows = wallets.map(({ id, account }) => {
    const balance_stroops = opening.get(account) ?? 0n;
    const books = { ...nothing, opening_stroops: balance_stroops, balance_stroops };
    return { wallet_id: id, asset_code: 'native', ledger, agreed_ledger: ledger, checked_at: now, ...books };
  });
  await db.insertInto('reconciliations').values(rows).execute();
}

async function addOwner({ db, now }: { db: Db; now: Date }, name: string): Promise<User> {
  const user = { id: newId('usr', now), email: `${name}@example.com`, name, created_at: now };
  await db
    .insertInto('users')
    .values({ ...user, email_folded: user.email, password_hash: '-' })
    .execute();
  // Not by the clock of the database: what is asked for comes after that.
  await db.updateTable('team_members').set({ joined_at: now }).where('user_id', '=', user.id).execute();
  return user;
}

/** Enough to approve with three, also when one of them has left. */
const TEAM: readonly Role[] = ['admin', 'approver', 'approver', 'approver', 'operator'];

/** Others in the team of the owner, and a program of which one of them knows a credential. */
async function addTeam(
  { db, now }: { db: Db; now: Date },
  { id: team_id, name }: User,
): Promise<SimulatedMember[]> {
  const others: SimulatedMember[] = [];
  for (const role of TEAM) {
    const id = newId('usr', now);
    await db.transaction().execute(async (trx) => {
      const user = { id, email: `${id}@example.com`, name: `${role} of ${name}`, password_hash: '-' };
      await trx
        .insertInto('users')
        .values({ ...user, email_folded: user.email })
        .execute();
      await insertMember(trx, { user_id: id, team_id, role, wallet_ids: null, now });
    });
    others.push({ id, team_id, role, program: false });
  }
  const id = newId('svu', now);
  const approvers = others.filter(({ role }) => role === 'approver').map((member) => member.id);
  const program = { id, team_id, name: 'Payroll', role: 'operator' as const };
  await db.insertInto('service_users').values(program).execute();
  const secret = {
    id: newId('sec', now),
    service_user_id: id,
    secret_hash: Buffer.from(id),
    last_four: 'last',
  };
  await db.insertInto('service_user_secrets').values(secret).execute();
  // Valid for ever: a user who has known it once knows it.
  const known = { service_user_id: id, credential: secret.id, known_to: approvers.slice(0, 1) };
  await db.insertInto('service_user_credentials').values(known).execute();
  return [
    { id: team_id, team_id, role: 'owner', program: false },
    ...others,
    { id, team_id, role: 'operator', program: true },
  ];
}

async function addWallet(
  { db, vault, config, random, now }: { db: Db; vault: Vault; config: Config; random: Random; now: Date },
  owner: User,
): Promise<SimulatedWallet> {
  const id = newId('wal', now);
  const { public_key, sealed_seed } = await vault.generate(id);
  const account = accountOf(public_key);
  const { network } = config;
  const row = {
    id,
    owner_id: owner.id,
    name: 'Sim',
    network,
    account,
    sealed_seed,
    created_at: now,
    funded_at: now,
    numeric_memo_text: random.chance(0.3),
  };
  await db.insertInto('wallets').values(row).execute();
  return { id, account, owner };
}

type Pool = {
  db: Db;
  vault: Vault;
  network: SimulatedNetwork;
  channels: number;
  keyOf: (account: string) => Keypair | undefined;
};

/** Ready to be transaction sources: no balance of their own, their reserves sponsored. */
async function addChannels(world: Pool, treasury: Keypair): Promise<string[]> {
  const { db, vault, network, channels, keyOf } = world;
  if (channels === 0) return [];
  const made: Keypair[] = [];
  for (let index = 0; index < channels; index++) {
    const id = `chn_${index}`;
    const { public_key, sealed_seed } = await vault.generate(id);
    const account = accountOf(public_key);
    const sponsor = treasury.publicKey();
    await db.insertInto('channels').values({ account, id, sealed_seed, sponsor, status: 'active' }).execute();
    await db.insertInto('tx_sources').values({ account, kind: 'channel' }).execute();
    const key = keyOf(account);
    if (key) made.push(key);
  }
  const operations = made.flatMap((key) => {
    const account = key.publicKey();
    return [
      Operation.beginSponsoringFutureReserves({ sponsoredId: account }),
      Operation.createAccount({ destination: account, startingBalance: '0' }),
      Operation.endSponsoringFutureReserves({ source: account }),
    ];
  });
  applyOperations(network, treasury, operations, [treasury, ...made]);
  return made.map((key) => key.publicKey());
}

async function addTreasury({ db, vault, network, keyOf }: Pool): Promise<Keypair> {
  const id = 'trs_0';
  const { public_key, sealed_seed } = await vault.generate(id);
  const account = accountOf(public_key);
  await db.insertInto('treasury').values({ account, id, sealed_seed }).execute();
  const startingBalance = toUnits(RICH_STROOPS);
  applyOperations(network, network.root, [
    Operation.createAccount({ destination: account, startingBalance }),
  ]);
  return keyOf(account) as Keypair;
}
