/**
 * Reads what one transaction did to watched accounts: credits, losses, and changes of their trust lines.
 *
 * | what                | without a meta from this source    | without a meta from any source                             |
 * |---------------------|------------------------------------|------------------------------------------------------------|
 * | credits and losses  | nothing is missing                 | nothing is missing                                         |
 * | by operations       |                                    |                                                            |
 * | the same by a       | the events are taken from another  | MetaMissing: the transaction is quarantined                |
 * | contract call       | source; the result proves them     |                                                            |
 * | changes of trust    | the entries are taken from another | they are not recorded, and a warning says so. A deposit of |
 * | lines               | source                             | the same transaction must not wait for them, and no amount |
 * |                     |                                    | of money depends on them                                   |
 */
import type { Deps } from '../../deps.ts';
import type { AccountFilter } from '../../stellar/credits/account-filter.ts';
import type { Adjustment, LineOrder } from '../../stellar/credits/adjustment.ts';
import { lineOrdersIn, lossesIn } from '../../stellar/credits/adjustments.ts';
import { MetaMissing } from '../../stellar/credits/contract-events.ts';
import type { Credit } from '../../stellar/credits/credit.ts';
import { creditsIn, openTransaction } from '../../stellar/credits/credits.ts';
import { lineChanges } from '../../stellar/credits/line-changes.ts';
import type { LedgerTransaction } from '../../stellar/stellar.ts';

export type Effects = {
  credits: Credit[];
  adjustments: Adjustment[];
  /** No source shows how the transaction changed these trust lines. */
  unread_lines: LineOrder[];
};

type Sources = Pick<Deps, 'stellar' | 'config'>;

/** Reads the effects on these accounts only. @throws MetaMissing, and Error when the transaction cannot be read */
export async function readEffects(
  deps: Sources,
  accounts: AccountFilter,
  transaction: LedgerTransaction,
): Promise<Effects> {
  const isWatched = ({ account }: { account: string }) => accounts.has(account);
  const { credits, losses, orders, meta } = await readProven(deps, transaction);
  const watched = orders.filter(isWatched);
  const changes = watched.length > 0 ? await readLines(deps, { ...transaction, meta }, watched) : [];
  return {
    credits: credits.filter(isWatched),
    adjustments: [...losses.filter(isWatched), ...(changes ?? [])],
    unread_lines: changes ? [] : watched,
  };
}

type Proven = ReturnType<typeof provenEffects>;

/** Takes a missing meta from another source. The ledger proves envelope and result; the result proves the events. */
async function readProven({ stellar, config }: Sources, transaction: LedgerTransaction): Promise<Proven> {
  try {
    return provenEffects(config.passphrase, transaction);
  } catch (error) {
    if (!(error instanceof MetaMissing)) throw error;
    const meta = await metaElsewhere({ stellar }, transaction.hash);
    if (meta === null) throw error;
    return provenEffects(config.passphrase, { ...transaction, meta });
  }
}

function provenEffects(passphrase: string, transaction: LedgerTransaction) {
  const open = openTransaction(passphrase, transaction);
  return {
    credits: creditsIn(passphrase, open),
    losses: lossesIn(passphrase, open),
    orders: lineOrdersIn(passphrase, open),
    meta: transaction.meta,
  };
}

/** Reads the trust lines in a meta; null when no source has a meta that can be read. */
async function readLines(
  deps: Pick<Sources, 'stellar'>,
  { hash, meta }: LedgerTransaction,
  orders: LineOrder[],
): Promise<Adjustment[] | null> {
  return lineChanges(meta, orders) ?? lineChanges(await metaElsewhere(deps, hash), orders);
}

async function metaElsewhere({ stellar }: Pick<Sources, 'stellar'>, hash: string): Promise<Buffer | null> {
  const elsewhere = await stellar.readTransaction(hash);
  return elsewhere.found === 'applied' ? elsewhere.transaction.meta : null;
}
