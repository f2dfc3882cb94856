/** Pure: where the two readers of the ledger contradict each other, or the balances that the network gives. */
import type { Evidence } from './evidence.ts';
import type { AppliedTransaction } from './ledger.ts';

export function readerViolations(evidence: Evidence): string[] {
  const { transactions, wallets, treasury } = evidence;
  const own = new Set(wallets.map(({ account }) => account));
  if (treasury) own.add(treasury.account);
  return [
    ...transactions.flatMap((transaction) => transactionViolations(transaction, own)),
    ...transactions.flatMap((transaction) => sponsorViolations(transaction, own)),
    ...balanceViolations(evidence),
    ...(new Set(transactions.map(({ hash }) => hash)).size === transactions.length
      ? []
      : ['a transaction is in the ledger twice']),
  ];
}

/** Credits less payments, clawbacks and fees are what the entries of our wallets changed by, operation by operation. */
function transactionViolations(transaction: AppliedTransaction, own: Set<string>): string[] {
  const { hash, successful, credits, payments, balance_changes, fee_account, fee_stroops } = transaction;
  const { clawbacks } = transaction;
  const sums = new Map<string, bigint>();
  const add = (operation_index: number | null, account: string, asset: string, stroops: bigint) => {
    if (!own.has(account)) return;
    const key = `${operation_index ?? 'fee'} ${account} ${asset}`;
    sums.set(key, (sums.get(key) ?? 0n) + stroops);
  };
  for (const { operation_index, account, asset, amount_stroops } of credits)
    add(operation_index, account, asset, amount_stroops);
  for (const { operation_index, source, asset, amount_stroops } of successful ? payments : [])
    add(operation_index, source, asset, -amount_stroops);
  for (const { operation_index, account, asset, amount_stroops } of successful ? clawbacks : [])
    add(operation_index, account, asset, -amount_stroops);
  add(null, fee_account, 'native', -fee_stroops);
  for (const { operation_index, account, asset, stroops } of balance_changes)
    add(operation_index, account, asset, -stroops);
  return [...sums]
    .filter(([, sum]) => sum !== 0n)
    .map(([key, sum]) => `${hash}: the two readers differ by ${sum} stroops of operation ${key}`);
}

/** A trust line that was made is paid by whom its operation says, and every sponsor was named by operations. */
function sponsorViolations(
  { hash, trust_lines, line_sponsors }: AppliedTransaction,
  own: Set<string>,
): string[] {
  return line_sponsors.flatMap(({ account, asset, made, sponsor }) => {
    if (!made || !own.has(account)) return [];
    const told = trust_lines.find(
      (line) => line.source === account && line.asset === asset && line.limit_stroops > 0n,
    );
    return told?.sponsor === sponsor
      ? []
      : [`${hash}: ${sponsor} sponsors ${asset} of ${account}, by its operation ${told?.sponsor}`];
  });
}

/** What a wallet or the treasury has is the sum of all changes since its account was made. */
function balanceViolations({ transactions, wallets, treasury }: Evidence): string[] {
  const sums = new Map<string, bigint>();
  for (const { account, asset, stroops } of transactions.flatMap((one) => one.balance_changes))
    sums.set(`${account} ${asset}`, (sums.get(`${account} ${asset}`) ?? 0n) + stroops);
  return [...wallets, ...(treasury ? [{ ...treasury, issued: [] }] : [])].flatMap(
    ({ account, balance_stroops, issued }) =>
      [{ asset: 'native', balance_stroops }, ...issued].flatMap((balance) => {
        const sum = sums.get(`${account} ${balance.asset}`) ?? 0n;
        return sum === balance.balance_stroops
          ? []
          : [`${account} has ${balance.balance_stroops} of ${balance.asset}, its entries changed by ${sum}`];
      }),
  );
}
