/**
 * Adds and removes trust lines. Each change is a row of the withdrawal engine with a key of its own, so it gets all that a
 * payment gets: one claim, one transaction source, one envelope that is committed before it is sent, an outcome by proof.
 *
 * | step                          | a refusal or crash here                                                      |
 * |-------------------------------|------------------------------------------------------------------------------|
 * | what the ledger has (network) | 400, 404, 409, 422 or 503; nothing is stored                                 |
 * | claim of the derived key      | another request has it: this one waits for the same change. Once it is       |
 * |                               | committed, the change continues, whatever happens to this process            |
 * | wait                          | the caller gets 504 (or nothing); this or another process records the outcome |
 *
 * The key has the number of the change, so requests at once, on any number of processes, make one change. A change that is
 * repeated after its outcome is another one: the network lets the same change_trust succeed again, and changes nothing.
 */
import { strict as assert } from 'node:assert';
import type { OnWallet } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { assetText } from '../../stellar/asset.ts';
import type { TrustLine } from '../../stellar/stellar.ts';
import type { Wallet } from '../../wallets/access.ts';
import { notOnNetwork, unfunded } from '../assess/preflight.ts';
import { feeOfWallet, partOfTreasury, refusalOfTreasury } from '../channels/treasury-pays.ts';
import { claimKey, RETRY_AFTER_SECONDS } from '../engine/claim-key.ts';
import { feeRate } from '../engine/fee-rate.ts';
import type { ClaimOrder } from '../engine/hooks.ts';
import type { Withdrawal } from '../engine/store.ts';
import { type EngineParts, outcomeOrPending, type Wait, withinWait } from '../request/wait-for-outcome.ts';
import { showAsset } from './asset-schema.ts';
import { assetOf, type IssuedFields, type LedgerFacts, readFacts, type WalletAsset } from './assets.ts';
import { changesOf, hasOpenPayment } from './trust-line-store.ts';

type Requester = OnWallet & { wallet: Wallet };

/**
 * Adds an asset, and returns it once the ledger has its trust line. `made`: false when the wallet had it before, or when
 * another request has added it.
 * @throws AppError 400 `invalid_request` for an issuer that is no account, 409 `asset_in_use`, 422 `wallet_unfunded`,
 * `policy_frozen`, `treasury_budget_spent` or `asset_change_failed`, 503 `treasury_unfunded`, 504 `outcome_pending`;
 * NetworkUnavailable
 */
export async function addAsset(
  deps: Deps,
  parts: EngineParts,
  by: Requester,
  asset: IssuedFields,
): Promise<{ asset: WalletAsset; made: boolean }> {
  const { wallet } = by;
  return withinWait(deps, async (wait) => {
    const begun = await begin(deps, wallet, asset, 'add_trust_line');
    const { newest, facts, fee_stroops } = begun;
    if (isOpen(newest) && newest.operation === 'remove_trust_line')
      throw inUse('The asset is being removed.');
    const isKnown = newest?.operation === 'add_trust_line' && newest.status === 'confirmed';
    if (facts.line && isKnown) return { asset: assetOf(deps, asset, facts, newest), made: false };
    if (!isOpen(newest)) {
      requireIssuer(wallet, asset, facts);
      const why = 'A trust line raises the reserve of the account, and its transaction has a fee.';
      const isOwnReserve = !facts.line && !deps.config.treasury_pays.reserves;
      requireFunds(facts, fee_stroops + (isOwnReserve ? facts.base_reserve_stroops : 0n), why);
      await requireTreasuryFunds(deps, 'add_trust_line', begun);
    }
    return carryOut(deps, parts, { ...begun, ...by, asset, wait, operation: 'add_trust_line' });
  });
}

/**
 * Removes an asset, and returns it once the ledger has removed its trust line: it is `absent` then.
 * @throws AppError `not_found` when the wallet does not have the asset, 409 `asset_in_use` while payments of it have no
 * outcome, 422 `asset_not_empty`, `wallet_unfunded`, `policy_frozen`, `treasury_budget_spent` or `asset_change_failed`, 503
 * `treasury_unfunded`, 504 `outcome_pending`; NetworkUnavailable
 */
export async function removeAsset(
  deps: Deps,
  parts: EngineParts,
  by: Requester,
  asset: IssuedFields,
): Promise<WalletAsset> {
  const { wallet } = by;
  return withinWait(deps, async (wait) => {
    const begun = await begin(deps, wallet, asset, 'remove_trust_line');
    const { newest, facts, fee_stroops } = begun;
    if (isOpen(newest) && newest.operation === 'add_trust_line') throw inUse('The asset is being added.');
    if (!isOpen(newest)) {
      if (!facts.line) throw new AppError('not_found', 'The wallet does not have this asset.');
      await requireUnused(deps, wallet, asset, facts.line);
      requireFunds(facts, fee_stroops, 'The removal of a trust line has a fee.');
      await requireTreasuryFunds(deps, 'remove_trust_line', begun);
    }
    const { asset: removed } = await carryOut(deps, parts, {
      ...begun,
      ...by,
      asset,
      wait,
      operation: 'remove_trust_line' as const,
    });
    return removed;
  });
}

/** `number`: of the next change. `fee_stroops`: the least that the wallet pays for it; 0 when the treasury pays. */
type Begun = {
  newest: Withdrawal | undefined;
  number: number;
  facts: LedgerFacts;
  rate_stroops: bigint;
  fee_stroops: bigint;
};

/** Reads what a change of the trust line needs. The rows are read first: the ledger may be newer than they, never older. */
async function begin(
  deps: Deps,
  wallet: Wallet,
  asset: IssuedFields,
  operation: 'add_trust_line' | 'remove_trust_line',
): Promise<Begun> {
  const changes = await changesOf(deps.db, wallet.id, asset);
  const [[facts], rate_stroops] = await Promise.all([readFacts(deps, wallet, [asset]), feeRate(deps)]);
  assert(facts);
  const fee_stroops = feeOfWallet(deps.config, rate_stroops, operation);
  return { newest: changes[0], number: changes.length + 1, facts, rate_stroops, fee_stroops };
}

function isOpen(change: Withdrawal | undefined): change is Withdrawal {
  return change !== undefined && change.settled_at === null;
}

function inUse(message: string): AppError {
  return new AppError('asset_in_use', `${message} Try again when that is done.`, {
    retry_after_seconds: RETRY_AFTER_SECONDS,
  });
}

/**
 * Refuses an issuer that is no account, or the wallet itself: the network answers such a change with `op_no_issuer` or
 * `op_malformed`.
 */
function requireIssuer(wallet: Wallet, { asset_issuer }: IssuedFields, { issuer }: LedgerFacts): void {
  const fault =
    asset_issuer === wallet.account
      ? 'is the account of this wallet, which needs no trust line for what it issues'
      : issuer === null && 'is no account of this network';
  if (!fault) return;
  const details = [{ path: '/asset_issuer', message: fault }];
  throw new AppError('invalid_request', `The issuer ${fault}.`, { details });
}

function requireFunds({ own }: LedgerFacts, needed_stroops: bigint, why: string): void {
  if (!own) throw notOnNetwork();
  if (own.spendable_stroops < needed_stroops) throw unfunded(own, needed_stroops, why);
}

/** @throws AppError 503 `treasury_unfunded` when the treasury cannot pay its part of the change */
async function requireTreasuryFunds(
  deps: Deps,
  operation: 'add_trust_line' | 'remove_trust_line',
  { rate_stroops }: Begun,
): Promise<void> {
  const refusal = await refusalOfTreasury(deps, { operation }, rate_stroops);
  if (refusal) throw refusal;
}

async function requireUnused(
  deps: Deps,
  wallet: Wallet,
  asset: IssuedFields,
  line: TrustLine,
): Promise<void> {
  if (await hasOpenPayment(deps.db, wallet.id, asset))
    throw inUse('A withdrawal of the asset has no outcome yet.');
  const { balance_stroops, buying_liabilities_stroops } = line;
  if (balance_stroops > 0n || buying_liabilities_stroops > 0n) {
    const message = `The wallet’s balance of the asset, in stroops, is ${balance_stroops}. Pay it out before you remove the asset.`;
    throw new AppError('asset_not_empty', message);
  }
}

type Ordered = Begun &
  Requester & {
    asset: IssuedFields;
    operation: 'add_trust_line' | 'remove_trust_line';
    wait: Wait;
  };

/** Waits for the change that is under way, or makes one. */
async function carryOut(
  deps: Deps,
  parts: EngineParts,
  ordered: Ordered,
): Promise<{ asset: WalletAsset; made: boolean }> {
  const { wallet, asset, facts, newest, wait } = ordered;
  const row = rowOf(deps, ordered);
  if (!isOpen(newest)) wait.throwIfOver();
  const claimed = isOpen(newest)
    ? newest
    : await claimKey(deps, parts.claims, row, { taken: (holder) => holder, in_doubt: IN_DOUBT });
  const show = (change: Withdrawal) => showAsset(assetOf(deps, asset, facts, change));
  const change = await outcomeOrPending(deps, parts, { claimed, wait, show });
  const now = await factsAfter(deps, { wallet, asset, facts, change });
  const shown = assetOf(deps, asset, now, change);
  if (change.status === 'confirmed') return { asset: shown, made: change.id === row.id };
  const message = `${change.failure_message ?? 'The network refused the change.'} Nothing was changed.`;
  throw new AppError('asset_change_failed', message, { data: showAsset(shown) });
}

const IN_DOUBT =
  'The database went away while the change of the asset was being recorded. Ask again: it is made once.';

/**
 * Reads what the ledger has now. The change is proven, so an error here must not look as if nothing had happened: then the
 * facts from before the change are returned.
 */
async function factsAfter(
  deps: Deps,
  { wallet, asset, facts, change }: Pick<Ordered, 'wallet' | 'asset' | 'facts'> & { change: Withdrawal },
): Promise<LedgerFacts> {
  try {
    const [now] = await readFacts(deps, wallet, [asset]);
    assert(now);
    return now;
  } catch (error) {
    deps.log.warn({ err: error, withdrawal_id: change.id }, 'the asset could not be read after its change');
    return facts;
  }
}

/** Callers cannot choose such a key: a header takes printable ASCII only, and · is not ASCII. */
function rowOf(
  deps: Deps,
  { wallet, actor, asset, operation, number, facts, rate_stroops }: Ordered,
): ClaimOrder {
  const created_at = deps.clock.now();
  const { base_reserve_stroops } = facts;
  // The treasury pays no reserve of a trust line that is there already.
  const sponsored = { rate_stroops, base_reserve_stroops: facts.line ? 0n : base_reserve_stroops };
  return {
    id: newId('wd', created_at),
    wallet_id: wallet.id,
    owner_id: wallet.owner_id,
    idempotency_key: `${operation}·${wallet.id}·${assetText(asset)}·${number}`,
    operation,
    ...asset,
    destination: asset.asset_issuer,
    amount_stroops: 0n,
    memo_id: null,
    memo_return: null,
    refund_of: null,
    treasury_stroops: partOfTreasury(deps.config, { operation }, sponsored),
    wallet_account: wallet.account,
    actor,
    created_at,
  };
}
