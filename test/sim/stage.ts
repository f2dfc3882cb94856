/** What a simulation plays on: accounts on the ledger, and the owners and wallets in the database. */
import { Account, type Keypair, MuxedAccount, Operation } from '@stellar/stellar-sdk/base';
import { seededKeypair } from '../../sandbox/virtual-clock.ts';
import type { User } from '../../src/auth/store.ts';
import { accountOf } from '../../src/chain/address.ts';
import type { Config } from '../../src/config.ts';
import type { Db } from '../../src/db/database.ts';
import { bindInstallation } from '../../src/db/installation.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Vault } from '../../src/vault/vault.ts';
import { toUnits } from '../support/ledger.ts';
import type { Random } from '../support/random.ts';
import type { WorldNetwork } from './world-network.ts';

export type StageWallet = { id: string; account: string; owner: User };

export type Stage = {
  wallets: StageWallet[];
  receivers: Keypair[];
  /** Takes nothing without a memo. */
  careful: Keypair;
  /** Outbids us, uses what it knows of our transactions, and has money enough. */
  rival: Keypair;
  /** Others who want a place in the ledger. */
  rivals: Keypair[];
  /** Accounts of the pool. */
  channels: string[];
};

const RICH_STROOPS = 10_000_000_000_000n;
/** Enough for a handful of payments. */
const POOR_STROOPS = 200_000_000n;

export async function setStage(world: {
  seed: string;
  network: WorldNetwork;
  db: Db;
  vault: Vault;
  config: Config;
  random: Random;
  count: number;
  channels: number;
  keyOf: (account: string) => Keypair | undefined;
  now: Date;
}): Promise<Stage> {
  const { network, random, seed } = world;
  network.close();
  const receivers = [0, 1, 2].map((index) => seededKeypair(seed, index));
  const careful = seededKeypair(seed, 10);
  const rival = seededKeypair(seed, 11);
  const rivals = Array.from({ length: 8 }, (_, index) => seededKeypair(`${seed}/rivals`, index));
  const owners = [await addOwner(world, 'one'), await addOwner(world, 'two')];
  const wallets: StageWallet[] = [];
  for (let left = world.count; left > 0; left--) {
    wallets.push(await addWallet(world, random.pick(owners)));
  }
  const create = (destination: string, stroops: bigint) =>
    Operation.createAccount({ destination, startingBalance: toUnits(stroops) });
  apply(network, network.root, [
    ...[...receivers, careful, rival, ...rivals].map((key) => create(key.publicKey(), RICH_STROOPS)),
    ...wallets.map(({ account }) => create(account, random.chance(0.2) ? POOR_STROOPS : RICH_STROOPS)),
  ]);
  const channels = await addChannels(world);
  apply(network, careful, [Operation.manageData({ name: 'config.memo_required', value: '1' })]);
  const { network: name, passphrase } = world.config;
  await bindInstallation(
    world.db,
    { network: name, passphrase, key_check: Buffer.alloc(32) },
    async () => network.latest.sequence,
  );
  return { wallets, receivers, careful, rival, rivals, channels };
}

export function muxedOf(key: Keypair, id: bigint): string {
  return new MuxedAccount(new Account(key.publicKey(), '0'), `${id}`).accountId();
}

async function addOwner({ db, now }: { db: Db; now: Date }, name: string): Promise<User> {
  const user = { id: newId('usr', now), email: `${name}@example.com`, name, created_at: now };
  await db
    .insertInto('users')
    .values({ ...user, password_hash: '-' })
    .execute();
  return user;
}

async function addWallet(
  { db, vault, config, now }: { db: Db; vault: Vault; config: Config; now: Date },
  owner: User,
): Promise<StageWallet> {
  const id = newId('wal', now);
  const { public_key, sealed_seed } = vault.generate(id);
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
  };
  await db.insertInto('wallets').values(row).execute();
  return { id, account, owner };
}

type Pool = {
  db: Db;
  vault: Vault;
  network: WorldNetwork;
  channels: number;
  keyOf: (account: string) => Keypair | undefined;
};

/** Ready to be lanes: no balance of their own, their reserves sponsored. */
async function addChannels(world: Pool): Promise<string[]> {
  const { db, vault, network, channels, keyOf } = world;
  if (channels === 0) return [];
  const treasury = await addTreasury(world);
  const made: Keypair[] = [];
  for (let index = 0; index < channels; index++) {
    const id = `chn_${index}`;
    const { public_key, sealed_seed } = vault.generate(id);
    const account = accountOf(public_key);
    const sponsor = treasury.publicKey();
    await db.insertInto('channels').values({ account, id, sealed_seed, sponsor, status: 'active' }).execute();
    await db.insertInto('lanes').values({ account, kind: 'channel' }).execute();
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
  apply(network, treasury, operations, [treasury, ...made]);
  return made.map((key) => key.publicKey());
}

async function addTreasury({ db, vault, network, keyOf }: Pool): Promise<Keypair> {
  const id = 'trs_0';
  const { public_key, sealed_seed } = vault.generate(id);
  const account = accountOf(public_key);
  await db.insertInto('treasury').values({ account, id, sealed_seed }).execute();
  const startingBalance = toUnits(RICH_STROOPS);
  apply(network, network.root, [Operation.createAccount({ destination: account, startingBalance })]);
  return keyOf(account) as Keypair;
}

function apply(
  network: WorldNetwork,
  source: Keypair,
  operations: Parameters<WorldNetwork['build']>[1],
  signers = [source],
): void {
  const status = network.submit(network.build(source, operations, { fee: '1000', signers }));
  if (status !== 'PENDING') throw new Error(status);
  network.close();
}
