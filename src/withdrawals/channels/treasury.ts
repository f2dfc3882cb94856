/**
 * The account that pays for channels, and its one transaction under way, which creates, merges or fills some of them.
 *
 * | state                      | what is true                                | a crash here leads to                         |
 * |----------------------------|---------------------------------------------|-----------------------------------------------|
 * | nothing under way          | every earlier transaction has its outcome   | nothing has happened                          |
 * | under way (committed with  | hash, envelope and time bound are committed;| whoever comes next sends the same bytes again |
 * | the channels that it makes | it may have been sent, once or often        | and looks for the hash                        |
 * | or merges)                 |                                             |                                               |
 *
 * The same proofs as for a withdrawal end it: the ledger has the transaction, or `neverApplied`. Only then the next one
 * is built, on the sequence number that the ledger shows. So the key may be used elsewhere too: that costs only time.
 */
import { strict as assert } from 'node:assert';
import type { Deps } from '../../deps.ts';
import { isOver } from '../../ledgers/time-bound.ts';
import { OperatorError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { stroopsInUnits } from '../../lib/stroops.ts';
import { accountOf, publicKeyOf } from '../../stellar/address.ts';
import type { AccountState, LedgerPosition, Lookup } from '../../stellar/stellar.ts';
import {
  buildChannelCreation,
  buildChannelFilling,
  buildChannelMerge,
  CHANNELS_PER_TRANSACTION,
  type ChannelOrder,
  FILLINGS_PER_TRANSACTION,
} from '../../stellar/transactions/build-channels.ts';
import type { UnsignedTransaction } from '../../stellar/transactions/write-transaction.ts';
import type { SealedKey } from '../../vault/vault.ts';
import { fullChannelStroops, isLow } from '../engine/channel-fees.ts';
import { neverApplied } from '../engine/outcome.ts';
import { walletsAmong } from '../engine/queries.ts';
import {
  type Channel,
  commitFilling,
  commitTransaction,
  findTreasury,
  finishTransaction,
  keepFirstTreasury,
  keepNewestTreasury,
  newestTreasury,
  type Treasury,
  type UnderWay,
} from './channel-store.ts';

/** Pauses between two look-ups of the hash: short at first, then as long as between two ledgers. */
const LOOK_FIRST_MS = 250;
const LOOK_MAX_MS = 1_000;
/** The fee of an operation on a network without surge pricing. Source: stellar-core, base fee. */
const MIN_FEE_STROOPS = 100n;
const ENTRIES_PER_ACCOUNT = 2n; // base reserves that an account needs. Source: CAP-33

/** `report` tells the operator about progress; after `signal` nothing new begins. */
export type Working = { report(text: string): void; signal: AbortSignal };

/**
 * Returns the account (G…) that pays from now on: for channels, and for what TREASURY_PAYS names. With TREASURY_SEED_FILE it is
 * the account of that seed, which is stored sealed, so that the file is needed once. Without the file it is the newest
 * treasury. On test networks a first one is generated.
 * @throws OperatorError when there is no treasury, or the file holds no seed, or that of a wallet
 */
export async function chooseTreasury(deps: Deps): Promise<string> {
  const { treasury_seed_file, network } = deps.config;
  const id = newId('trs', deps.clock.now());
  if (treasury_seed_file) {
    const account = accountOf(ofSeedFile(() => deps.vault.publicKeyOfSeedFile(treasury_seed_file)));
    // A key provider may be away; what it has sealed already needs no other sealing.
    if ((await newestTreasury(deps.db))?.account === account) return account;
    await refuseWallet(deps, account);
    const imported = await importSeed(deps, treasury_seed_file, id);
    await withTreasury(deps, id, imported, (treasury) => keepNewestTreasury(deps.db, treasury));
    return account;
  }
  const known = await newestTreasury(deps.db);
  if (known) return known.account;
  if (network === 'public')
    throw new OperatorError(
      'There is no treasury. Write the secret seed (S…) of the account that pays for channel accounts, and for what ' +
        'TREASURY_PAYS names, to a file, and set TREASURY_SEED_FILE to its path.',
    );
  const generated = await deps.vault.generate(id);
  const kept = await withTreasury(deps, id, generated, (treasury) => keepFirstTreasury(deps.db, treasury));
  return kept.account;
}

/** Records the keys, and lets `keep` commit them. */
function withTreasury<T>(
  deps: Deps,
  id: string,
  { public_key, sealed_seed }: SealedKey,
  keep: (treasury: { id: string; account: string; sealed_seed: Buffer }) => Promise<T>,
): Promise<T> {
  return deps.withSealingKey(async () => {
    const resealed = await deps.vault.reseal(sealed_seed, { id, public_key });
    const treasury = { id, account: accountOf(public_key), sealed_seed: resealed };
    await recordTreasury(deps, treasury);
    return keep(treasury);
  });
}

/** Refuses the account of a wallet: what it pays would be in no books, and its own transactions would match no withdrawal. */
async function refuseWallet({ db }: Deps, account: string): Promise<void> {
  if ((await walletsAmong(db, [account])).size === 0) return;
  throw new OperatorError(
    `The treasury ${account} is the account of a wallet of this service. Give TREASURY_SEED_FILE another account.`,
  );
}

/**
 * Records the treasury in the key journal before its row is committed. A treasury that is known already has another line with
 * another id then.
 */
async function recordTreasury(deps: Deps, keys: { id: string; account: string; sealed_seed: Buffer }) {
  const rest = { kind: 'treasury' as const, owner_id: null, name: null, sponsor: null };
  await deps.key_journal.record([{ ...keys, ...rest, created_at: deps.clock.now() }]);
}

async function importSeed(deps: Deps, file: string, id: string): Promise<SealedKey> {
  return deps.vault.importSeedFile(file, id).catch(ofSeedFileFault);
}

function ofSeedFile<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    return ofSeedFileFault(error);
  }
}

function ofSeedFileFault(error: unknown): never {
  throw new OperatorError(`TREASURY_SEED_FILE: ${(error as Error).message}`, { cause: error });
}

/** Operations of a transaction for one channel. */
const OPERATIONS = { creating: 3, retired: 1 };

/** Returns how many channels fit in one transaction whose fee is within FEE_MAX_STROOPS. @throws OperatorError when none does */
export function channelsPerTransaction(deps: Deps, from: 'creating' | 'retired'): number {
  const affordable = Number(deps.config.fee_max_stroops / MIN_FEE_STROOPS) / OPERATIONS[from];
  if (affordable < 1)
    throw new OperatorError(
      `FEE_MAX_STROOPS is ${deps.config.fee_max_stroops}, but a channel account needs ${OPERATIONS[from] * 100}. Raise it.`,
    );
  return Math.min(CHANNELS_PER_TRANSACTION, Math.floor(affordable));
}

/** Returns the fee per operation, in stroops: the bid of others, but all `operations` together stay within FEE_MAX_STROOPS. */
async function feeBid(deps: Deps, operations: number): Promise<bigint> {
  const [bid, limit] = [
    await deps.stellar.feePerOperation(),
    deps.config.fee_max_stroops / BigInt(operations),
  ];
  return bid < limit ? bid : limit;
}

/** A treasury, and the channels that are on the network, as one source sees them. */
type AtTreasury = {
  latest: LedgerPosition;
  treasury: Treasury;
  state: AccountState;
  accounts: Map<string, AccountState>;
};

/**
 * Reads the treasury and these channels as one source sees them. Null when that source is behind the treasury's last
 * transaction: then a missing channel proves nothing, and the sequence number is used already. On test networks friendbot funds
 * a missing treasury; null then too.
 * @throws OperatorError when it is not on the network
 */
export async function readWithTreasury(
  deps: Deps,
  sponsor: string,
  channels: string[],
): Promise<AtTreasury | null> {
  const { latest, accounts } = await deps.stellar.readAccounts([sponsor, ...channels]);
  const treasury = await findTreasury(deps.db, sponsor);
  if (latest.sequence < treasury.ledger) return null;
  const state = accounts.get(sponsor);
  if (state) return { latest, accounts, treasury, state };
  if (deps.config.network === 'public')
    throw new OperatorError(
      `The treasury ${sponsor} is not on the network. Send units of the native asset to it.`,
    );
  await deps.stellar.fund(sponsor);
  return null;
}

/** @throws OperatorError, with the missing amount, when the treasury cannot pay to create or merge `count` channels */
export async function requireFunds(
  deps: Deps,
  from: 'creating' | 'retired',
  { latest, treasury, state }: Pick<AtTreasury, 'latest' | 'treasury' | 'state'>,
  count: number,
): Promise<void> {
  const { base_reserve_stroops } = latest;
  const reserve = from === 'creating' ? BigInt(count) * ENTRIES_PER_ACCOUNT * base_reserve_stroops : 0n;
  const at_once = Math.min(count, channelsPerTransaction(deps, from));
  const fees = BigInt(count * OPERATIONS[from]) * (await feeBid(deps, at_once * OPERATIONS[from]));
  const lacking = reserve + fees - state.spendable_stroops;
  if (lacking <= 0n) return;
  const reserves =
    `${stroopsInUnits(reserve)} of reserve (2 × ${stroopsInUnits(base_reserve_stroops)} for each, which come back when it is ` +
    'merged) and ';
  throw new OperatorError(
    `The treasury ${treasury.account} cannot pay for ${count} channel accounts. It can spend ` +
      `${stroopsInUnits(state.spendable_stroops)}, and it needs ${reserve > 0n ? reserves : ''}${stroopsInUnits(fees)} of fees. ` +
      `Send it at least ${stroopsInUnits(lacking)}.`,
  );
}

/**
 * Builds, signs and commits the treasury's next transaction, which creates or merges these channels;
 * `finishTransactionUnderWay` sends it. Does nothing when another process has committed one in the meantime.
 */
export async function beginTransaction(
  deps: Deps,
  from: 'creating' | 'retired',
  channels: Channel[],
  at: Pick<AtTreasury, 'latest' | 'treasury' | 'state'>,
): Promise<void> {
  const accounts = channels.map(({ account }) => account);
  const order = await orderOf(deps, at, accounts, OPERATIONS[from]);
  const { passphrase } = deps.config;
  const unsigned =
    from === 'creating'
      ? buildChannelCreation(passphrase, {
          ...order,
          balance_stroops: balanceOfNew(deps, at, channels.length),
        })
      : buildChannelMerge(passphrase, order);
  const transaction = await sign(deps, [at.treasury, ...channels], { ...at, ...order, unsigned });
  await commitTransaction(deps.db, at.treasury.account, { from, accounts, transaction });
}

/** Returns what each of so many new channels gets: all that it may hold, or nothing where the treasury would have less than the half left. */
function balanceOfNew(
  { config }: Deps,
  { latest, state }: Pick<AtTreasury, 'latest' | 'state'>,
  count: number,
): bigint {
  const full_stroops = fullChannelStroops(config);
  const reserve = ENTRIES_PER_ACCOUNT * latest.base_reserve_stroops;
  const needed = BigInt(count) * (reserve + full_stroops) + config.fee_max_stroops;
  return needed <= state.spendable_stroops / 2n ? full_stroops : 0n;
}

/** A treasury, and what it and the channels can spend, as one source sees it. */
type AtFilling = Pick<AtTreasury, 'latest' | 'treasury'> & {
  state: Pick<AccountState, 'sequence' | 'spendable_stroops'>;
  /** By account. */
  spendable: Map<string, bigint>;
};

/**
 * Reads the treasury and these channels as one source sees them. Null when that source is behind the treasury's last transaction: a
 * channel that this has filled would look low.
 * @throws OperatorError when the treasury is not on the network
 */
export async function readForFilling(
  deps: Deps,
  account: string,
  channels: string[],
): Promise<AtFilling | null> {
  const { latest, sequences, spendable } = await deps.stellar.readSequences([account, ...channels]);
  const treasury = await findTreasury(deps.db, account);
  if (latest.sequence < treasury.ledger) return null;
  const [sequence, spendable_stroops] = [sequences.get(account), spendable.get(account)];
  if (sequence === undefined || spendable_stroops === undefined)
    throw new OperatorError(`The treasury ${account} is not on the network.`);
  return { latest, treasury, state: { sequence, spendable_stroops }, spendable };
}

/**
 * Builds, signs and commits the treasury's next transaction, which fills these channels as far as they are low and the treasury can pay.
 * The treasury keeps at least as much as all channels together hold then: what it pays for wallets must not wait. Returns false when
 * no channel is low. Does nothing when another process has committed a transaction in the meantime.
 * @throws OperatorError when the treasury cannot fill one of them
 */
export async function beginFilling(deps: Deps, channels: string[], at: AtFilling): Promise<boolean> {
  const { config } = deps;
  const { treasury, state, spendable } = at;
  const full_stroops = fullChannelStroops(config);
  const held = channels.flatMap((account) => {
    const stroops = spendable.get(account);
    return stroops === undefined ? [] : [{ account, stroops }];
  });
  const low = held.filter(({ stroops }) => isLow(config, stroops));
  if (low.length === 0) return false;
  const together = held.reduce((sum, { stroops }) => sum + stroops, 0n);
  let left_stroops = (state.spendable_stroops - together) / 2n - config.fee_max_stroops;
  const given = new Map<string, bigint>();
  for (const { account, stroops } of low.slice(0, await fillingsAtOnce(deps))) {
    const wanted_stroops = full_stroops - stroops;
    if (wanted_stroops > left_stroops) continue;
    given.set(account, wanted_stroops);
    left_stroops -= wanted_stroops;
  }
  if (given.size === 0)
    throw new OperatorError(
      `The treasury ${treasury.account} can spend ${stroopsInUnits(state.spendable_stroops)}, which is too little to fill channel ` +
        `accounts: it keeps as much as they hold together (${stroopsInUnits(together)}), and each takes up to ` +
        `${stroopsInUnits(full_stroops)}. Pay into it.`,
    );
  const accounts = [...given.keys()];
  const order = await orderOf(deps, at, accounts, 1);
  const unsigned = buildChannelFilling(config.passphrase, { ...order, stroops: given });
  const transaction = await sign(deps, [treasury], { ...at, ...order, unsigned });
  await commitFilling(deps.db, treasury, { accounts, transaction });
  return true;
}

/** Returns how many channels one transaction fills: fewer while the network is busy, so that it can bid what others bid. */
async function fillingsAtOnce({ stellar, config }: Deps): Promise<number> {
  const affordable = Number(config.fee_max_stroops / (await stellar.feePerOperation()));
  return Math.max(1, Math.min(FILLINGS_PER_TRANSACTION, affordable));
}

/** Returns what the treasury's transactions for these channels have in common. `operations`: for one channel. */
async function orderOf(
  deps: Deps,
  { latest, treasury, state }: Pick<AtFilling, 'latest' | 'treasury' | 'state'>,
  channels: string[],
  operations: number,
): Promise<ChannelOrder> {
  return {
    sponsor: treasury.account,
    sequence: state.sequence + 1n,
    channels,
    fee_per_operation_stroops: await feeBid(deps, channels.length * operations),
    max_time: latest.close_time + BigInt(deps.config.withdraw_valid_seconds),
  };
}

type Unsigned = Pick<AtTreasury, 'latest'> & { unsigned: UnsignedTransaction; max_time: bigint };

async function sign(
  deps: Deps,
  signers: Pick<Channel, 'id' | 'account' | 'sealed_seed'>[],
  { unsigned, max_time, latest }: Unsigned,
): Promise<UnderWay> {
  const seeds = signers.map(({ id, account, sealed_seed }) => ({
    sealed_seed,
    owner: { id, public_key: publicKeyOf(account) },
  }));
  const signatures = await deps.vault.withSigner(seeds, async (signer) =>
    seeds.map(({ sealed_seed, owner }) => ({
      public_key: owner.public_key,
      signature: signer.signWith(sealed_seed, owner, unsigned.hash),
    })),
  );
  return {
    tx_hash: unsigned.hash.toString('hex'),
    envelope_xdr: unsigned.envelopeWith(signatures),
    max_time,
    signed_ledger: latest.sequence,
  };
}

/** Refusals that the next transaction avoids, with a new sequence number and a newer bid. */
const PASSING = new Set(['tx_bad_seq', 'tx_insufficient_fee']);

/**
 * Sends the treasury's transaction under way, again after every ledger that lacks it. Returns when its outcome is
 * recorded, or at `signal`. Says that it has expired when another one is needed.
 * @throws OperatorError when the next one would be refused too, or no source can prove the outcome of this one
 */
export async function finishTransactionUnderWay(
  deps: Deps,
  sponsor: string,
  { report, signal }: Working,
): Promise<'expired' | 'ended'> {
  let sent_at_ledger = -1;
  let refusal: string | null = null;
  for (let look_ms = LOOK_FIRST_MS; !signal.aborted; look_ms = Math.min(look_ms * 1.5, LOOK_MAX_MS)) {
    const transaction = underWay(await findTreasury(deps.db, sponsor));
    if (!transaction) return 'ended';
    const lookup = await deps.stellar.find(transaction.tx_hash);
    const outcome = await conclude(deps, sponsor, transaction, lookup);
    if (outcome === 'done') return 'ended';
    if (outcome === 'expired') {
      if (refusal !== null && !PASSING.has(refusal))
        throw new OperatorError(`The network did not take the treasury’s transaction: ${refusal}.`);
      report('The transaction did not get into a ledger in time; another one is made.');
      return 'expired';
    }
    if (lookup.found === 'absent' && lookup.latest_ledger > sent_at_ledger) {
      const refused: string | null = (await refusalOf(deps, transaction)) ?? refusal;
      if (refused !== refusal) report(`The network does not take the transaction at present: ${refused}.`);
      refusal = refused;
      sent_at_ledger = lookup.latest_ledger;
    }
    await deps.clock.sleep(look_ms, signal);
  }
  return 'ended';
}

/**
 * Sends the transaction. Gives the reason when the network refuses it. `tx_too_late` does not count: it does not say
 * why earlier ledgers lack the transaction.
 */
async function refusalOf(deps: Deps, { envelope_xdr }: UnderWay): Promise<string | null> {
  const { answer, code } = await deps.stellar.submit(envelope_xdr);
  return answer === 'refused' && code !== 'tx_too_late' ? code : null;
}

/** Records the outcome when the look-up proves one. */
async function conclude(
  deps: Deps,
  sponsor: string,
  transaction: UnderWay,
  lookup: Lookup,
): Promise<'done' | 'expired' | 'open'> {
  const { tx_hash, max_time } = transaction;
  if (lookup.found === 'applied') {
    const { successful, ledger, failure_code } = lookup;
    await finishTransaction(deps.db, sponsor, tx_hash, { done: successful, ledger });
    if (successful) return 'done';
    throw new OperatorError(`The treasury’s transaction ${tx_hash} failed: ${failure_code}.`);
  }
  if (lookup.found === 'unknown') return 'open';
  if (!isOver(max_time, { close_time: lookup.latest_close_time })) return 'open';
  if (!neverApplied(transaction, lookup))
    throw new OperatorError(
      `The history of the network source does not cover the first sending of the treasury’s transaction ${tx_hash}, ` +
        'so that its outcome cannot be proven. Give STELLAR_RPC_URL a source with a longer history.',
    );
  await finishTransaction(deps.db, sponsor, tx_hash, { done: false, ledger: lookup.latest_ledger });
  return 'expired';
}

function underWay({ tx_hash, envelope_xdr, max_time, signed_ledger }: Treasury): UnderWay | null {
  if (tx_hash === null) return null;
  assert(envelope_xdr !== null && max_time !== null && signed_ledger !== null);
  return { tx_hash, envelope_xdr, max_time, signed_ledger };
}
