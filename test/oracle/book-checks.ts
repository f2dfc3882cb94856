/**
 * Pure: what contradicts "of each asset, what a wallet has is its deposits less its withdrawals, fees and clawbacks", in
 * words. It is asked after every ledger and of every wallet, so it holds for the sum over all wallets too.
 */
import { assetNameOf, type Evidence } from './evidence.ts';
import type { AppliedTransaction } from './ledger.ts';

export function bookViolations(evidence: Evidence): string[] {
  return [...walkViolations(evidence), ...endViolations(evidence), ...comparisonViolations(evidence)];
}

/** What a wallet has more of an asset since a ledger, less when negative. */
type Entry = { ledger: number; wallet_id: string; asset: string; stroops: bigint };

/**
 * Goes through the ledgers in their order, with the rows of each, and compares the sums of both after each ledger. Only
 * the first difference of a wallet and an asset is reported: the later ones follow from it.
 */
function walkViolations(evidence: Evidence): string[] {
  const booked = bookedEntries(evidence);
  const moved = movedEntries(evidence).map((entry) => ({ ...entry, stroops: -entry.stroops }));
  const byLedger = Map.groupBy([...booked, ...moved], ({ ledger }) => ledger);
  const ledgers = [...byLedger.keys()].toSorted((a, b) => a - b);
  const differences = new Map<string, bigint>();
  const told = new Map<string, string>();
  for (const ledger of ledgers) {
    const touched = new Set<string>();
    for (const { wallet_id, asset, stroops } of byLedger.get(ledger) ?? []) {
      const key = `${wallet_id} ${asset}`;
      differences.set(key, (differences.get(key) ?? 0n) + stroops);
      touched.add(key);
    }
    for (const key of touched) {
      const difference = differences.get(key) ?? 0n;
      if (difference === 0n || told.has(key)) continue;
      told.set(
        key,
        `after ledger ${ledger} the books of wallet ${key} have ${difference} more than the ledger`,
      );
    }
  }
  return [...told.values()];
}

/** How many sums were compared: of a wallet and an asset, after a ledger that changed one of them. */
export function comparedSums(evidence: Evidence): number {
  const all = [...bookedEntries(evidence), ...movedEntries(evidence)];
  return new Set(all.map(({ ledger, wallet_id, asset }) => `${ledger} ${wallet_id} ${asset}`)).size;
}

/** By the rows; what no row is about, by the first reader of the ledger. */
function bookedEntries(evidence: Evidence): Entry[] {
  const { wallets, rows, trust_lines, deposits, adjustments } = evidence;
  const paid = rows
    .filter(({ status }) => status === 'confirmed')
    .map((row) => bookedIn(row, assetNameOf(row), -row.amount_stroops));
  const fees = [...rows, ...trust_lines]
    .filter(({ fee_stroops }) => fee_stroops !== null)
    .map((row) => bookedIn(row, 'native', -BigInt(row.fee_stroops ?? 0n)));
  const taken = adjustments.map((row) => bookedIn(row, assetNameOf(row), -row.amount_stroops));
  const received = deposits.rows.map((row) => bookedIn(row, assetNameOf(row), row.amount_stroops));
  const others = wallets.flatMap(({ id, account }) =>
    strangersOf(evidence, id).flatMap((transaction) =>
      [...spendings(transaction, account)].map(([asset, stroops]) => {
        return { ledger: transaction.ledger, wallet_id: id, asset, stroops: -stroops };
      }),
    ),
  );
  return [...paid, ...fees, ...taken, ...received, ...others];
}

function bookedIn(
  { ledger, wallet_id }: { ledger: number | null; wallet_id: string },
  asset: string,
  stroops: bigint,
): Entry {
  return { ledger: Number(ledger ?? 0), wallet_id, asset, stroops };
}

/** By the second reader. Before the first ledger is what the wallet opened with. */
function movedEntries({ wallets, transactions, deposits }: Evidence): Entry[] {
  const ids = new Map(wallets.map(({ id, account }) => [account, id]));
  return transactions
    .filter(({ ledger }) => ledger > deposits.start_ledger)
    .flatMap(({ ledger, balance_changes }) =>
      balance_changes.flatMap(({ account, asset, stroops }) => {
        const wallet_id = ids.get(account);
        return wallet_id === undefined ? [] : [{ ledger, wallet_id, asset, stroops }];
      }),
    );
}

/** What the network says that a wallet has, at the end. */
function endViolations(evidence: Evidence): string[] {
  const sums = new Map<string, bigint>();
  for (const { wallet_id, asset, stroops } of bookedEntries(evidence))
    sums.set(`${wallet_id} ${asset}`, (sums.get(`${wallet_id} ${asset}`) ?? 0n) + stroops);
  return evidence.wallets.flatMap(({ id, opening_stroops, balance_stroops, issued }) =>
    [{ asset: 'native', balance_stroops, opening_stroops }, ...issued.map(withoutOpening)].flatMap((one) => {
      const books = one.opening_stroops + (sums.get(`${id} ${one.asset}`) ?? 0n);
      return books === one.balance_stroops
        ? []
        : [`wallet ${id}: the books say ${books} of ${one.asset}, the ledger ${one.balance_stroops}`];
    }),
  );
}

function withoutOpening({ asset, balance_stroops }: { asset: string; balance_stroops: bigint }) {
  return { asset, balance_stroops, opening_stroops: 0n };
}

/** What others made our wallets pay is no withdrawal: the service's own comparison must find it, and nothing else. */
function comparisonViolations(evidence: Evidence): string[] {
  const { wallets, reconciliations } = evidence;
  if (reconciliations === null) return [];
  return wallets.flatMap(({ id, account }) => {
    const compared = reconciliations.filter(({ wallet_id }) => wallet_id === id);
    const names = new Set(compared.map(assetNameOf));
    const strangers = strangersOf(evidence, id).map((transaction) => spendings(transaction, account));
    const missing = assetsOf(evidence, id).filter((asset) => !names.has(asset));
    return [
      ...missing.map((asset) => `wallet ${id} was not compared in ${asset}`),
      ...compared.flatMap(({ difference_stroops, ...row }) => {
        const asset = assetNameOf(row);
        const rest = strangers.reduce((sum, spent) => sum + (spent.get(asset) ?? 0n), 0n);
        return difference_stroops === -rest
          ? []
          : [
              `wallet ${id}: reconciliation finds ${difference_stroops} of ${asset}, others made it pay ${rest}`,
            ];
      }),
    ];
  });
}

/** The native one, and every other that it was paid or has paid. */
function assetsOf({ deposits, rows }: Evidence, id: string): string[] {
  const booked = [...deposits.rows, ...rows.filter(({ status }) => status === 'confirmed')];
  return [...new Set(['native', ...booked.filter(({ wallet_id }) => wallet_id === id).map(assetNameOf)])];
}

/** Transactions that no row of the wallet is about: of others, or forgotten with an older copy of the database. */
function strangersOf(
  { rows, trust_lines, transactions, deposits, foreign }: Evidence,
  id: string,
): AppliedTransaction[] {
  const own = [...rows, ...trust_lines].filter(({ wallet_id }) => wallet_id === id);
  const known = new Set(own.map(({ stellar_tx_hash }) => stellar_tx_hash));
  return transactions.filter(
    ({ hash, ledger }) => ledger > deposits.start_ledger && (foreign.includes(hash) || !known.has(hash)),
  );
}

/** By asset. */
function spendings(
  { fee_account, fee_stroops, successful, payments }: AppliedTransaction,
  account: string,
): Map<string, bigint> {
  const spent = new Map<string, bigint>();
  const add = (asset: string, stroops: bigint) => spent.set(asset, (spent.get(asset) ?? 0n) + stroops);
  for (const { source, asset, amount_stroops } of successful ? payments : [])
    if (source === account) add(asset, amount_stroops);
  if (fee_account === account) add('native', fee_stroops);
  return spent;
}
