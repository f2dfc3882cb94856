/** What a simulation plays on: accounts on the ledger, and the owners and wallets in the database. */
import { Asset, type Keypair, Operation, StrKey } from '@stellar/stellar-sdk/base';
import { type ContractWallet, contractWallet } from '../../sandbox/testing/contract-wallet.ts';
import { seededKeypair } from '../../sandbox/virtual-clock.ts';
import type { User } from '../../src/auth/store.ts';
import type { Config } from '../../src/config.ts';
import type { Db } from '../../src/db/database.ts';
import { bindInstallation } from '../../src/db/installation.ts';
import { newId } from '../../src/lib/ids.ts';
import { accountOf } from '../../src/stellar/address.ts';
import type { Vault } from '../../src/vault/vault.ts';
import { toUnits } from '../support/ledger.ts';
import type { Random } from '../support/random.ts';
import { transferFromAccount } from './asset-contracts.ts';
import type { Contents, SimulatedNetwork } from './simulated-network.ts';

export type SimulatedWallet = { id: string; account: string; owner: User };

export type SimulatedAccounts = {
  owners: User[];
  wallets: SimulatedWallet[];
  /** Accounts of wallets that have a trust line. */
  trusting: Set<string>;
  /** What the wallets had before anything was read. */
  opening: Map<string, bigint>;
  /** Strangers with money, the issuer among them. */
  payers: Keypair[];
  /** Native and issued. */
  assets: readonly [Asset, Asset];
  /** Issued too, and nobody pays it: wallets add and remove it. */
  spare: Asset;
  /** A stranger's wallet that is a contract. */
  contract: ContractWallet;
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

export async function createAccounts(world: {
  seed: string;
  network: SimulatedNetwork;
  db: Db;
  vault: Vault;
  config: Config;
  random: Random;
  count: number;
  /** Of those, how many have no account on the ledger. */
  unborn: number;
  channels: number;
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
  const wallets: SimulatedWallet[] = [];
  for (let left = world.count; left > 0; left--) {
    wallets.push(await addWallet(world, random.pick(owners)));
  }
  const born = wallets.slice(0, wallets.length - world.unborn);
  const create = (destination: string, stroops: bigint) =>
    Operation.createAccount({ destination, startingBalance: toUnits(stroops) });
  apply(network, network.root, [
    ...[...receivers, careful, rival, ...rivals].map((key) => create(key.publicKey(), RICH_STROOPS)),
    ...born.map(({ account }) => create(account, random.chance(0.2) ? POOR_STROOPS : RICH_STROOPS)),
  ]);
  const channels = await addChannels(world);
  apply(network, careful, [Operation.manageData({ name: 'config.memo_required', value: '1' })]);
  const market = openMarket(world, born, receivers.slice(1)); // one of them has no trust line
  const { network: name, passphrase } = world.config;
  await bindInstallation(world.db, { network: name, passphrase, key_check: Buffer.alloc(32) }, async () => ({
    sequence: network.latest.sequence,
    hash: Buffer.from(network.network.latest.hash).toString('hex'),
  }));
  const opening = new Map(
    wallets.map(({ account }) => [account, network.balanceOf(StrKey.decodeEd25519PublicKey(account))]),
  );
  await keepOpening(world, wallets, opening);
  return { owners, wallets, opening, ...market, receivers, careful, rival, rivals, channels };
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

const PAYERS = 8;
const PLENTY = '1000000';

/** An issued asset that some wallets trust, those who pay with it, and one who exchanges it for the native one. */
function openMarket(
  { network, seed, random, keyOf }: Parameters<typeof createAccounts>[0],
  wallets: SimulatedWallet[],
  receivers: Keypair[],
): Pick<SimulatedAccounts, 'trusting' | 'payers' | 'assets' | 'spare' | 'contract'> {
  const issuer = seededKeypair(`${seed}/issuer`, 0);
  const maker = seededKeypair(`${seed}/maker`, 0);
  const others = Array.from({ length: PAYERS }, (_, index) => seededKeypair(`${seed}/payers`, index));
  const [native, usd] = [Asset.native(), new Asset('USD', issuer.publicKey())];
  const contract = contractWallet(seededKeypair(`${seed}/contract`, 0));
  apply(
    network,
    network.root,
    [issuer, maker, ...others].map((key) =>
      Operation.createAccount({ destination: key.publicKey(), startingBalance: toUnits(RICH_STROOPS) }),
    ),
  );
  const trusting = wallets.filter((_, index) => index === 0 || random.chance(0.5));
  const trust = [maker, ...receivers, ...others, ...trusting.map(({ account }) => keyOf(account) as Keypair)];
  apply(
    network,
    issuer,
    [
      ...trust.map((key) => Operation.changeTrust({ asset: usd, source: key.publicKey() })),
      ...[maker, ...others].map((key) =>
        Operation.payment({ destination: key.publicKey(), asset: usd, amount: PLENTY }),
      ),
    ],
    [issuer, ...trust],
  );
  // Not the same price both ways, and none that comes out even.
  apply(network, maker, [
    Operation.manageSellOffer({ selling: native, buying: usd, amount: '400000', price: { n: 3, d: 7 } }),
    Operation.manageSellOffer({ selling: usd, buying: native, amount: '400000', price: { n: 5, d: 2 } }),
  ]);
  for (const [from, asset] of [[network.root, native] as const, [issuer, usd] as const]) {
    const amount = RICH_STROOPS;
    applyContents(network, from, transferFromAccount(from, { asset, to: contract.address, amount }));
  }
  return {
    trusting: new Set(trusting.map(({ account }) => account)),
    payers: [issuer, ...others],
    assets: [native, usd],
    spare: new Asset('EUR', issuer.publicKey()),
    contract,
  };
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
  { db, vault, config, random, now }: { db: Db; vault: Vault; config: Config; random: Random; now: Date },
  owner: User,
): Promise<SimulatedWallet> {
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
  network: SimulatedNetwork,
  source: Keypair,
  operations: Contents['operations'],
  signers = [source],
): void {
  applyContents(network, source, { operations }, signers);
}

function applyContents(
  network: SimulatedNetwork,
  source: Keypair,
  contents: Contents,
  signers = [source],
): void {
  const transaction = network.build(source, contents, { fee: '1000', signers });
  const status = network.submit(transaction);
  network.close();
  const hash = Buffer.from(transaction.hash()).toString('hex');
  const successful = network.transactions.find((applied) => applied.hash === hash)?.successful;
  if (!successful) throw new Error(`${status}: the stage could not be set`);
}
