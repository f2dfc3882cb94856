/** Pure: what contradicts "a contract got exactly what was ordered, and a transfer that trapped moved nothing", in words. */
import { assetNameOf, type Evidence, type WithdrawalRow } from './evidence.ts';
import type { AppliedTransaction } from './ledger.ts';

export const isToContract = ({ destination }: { destination: string }) => destination.startsWith('C');

export function contractViolations({ rows, transactions, wallets }: Evidence): string[] {
  const accounts = new Map(wallets.map(({ id, account }) => [id, account]));
  const byHash = new Map(transactions.map((one) => [one.hash, one]));
  return rows.filter(isToContract).flatMap((row) => {
    const name = `transfer ${row.id} to ${row.destination} (${row.state})`;
    const made = byHash.get(row.stellar_tx_hash ?? '');
    return [
      ...movedViolations(name, row, { made, account: accounts.get(row.wallet_id) }),
      ...(row.failure_code !== null && !row.failure_message ? [`${name} failed without a word`] : []),
    ];
  });
}

/** By the events of the contract: the one transfer from the wallet, or none. */
function movedViolations(
  name: string,
  row: WithdrawalRow,
  { made, account }: { made: AppliedTransaction | undefined; account: string | undefined },
): string[] {
  const wanted =
    row.status === 'confirmed'
      ? [`contract_transfer ${account} ${row.destination} ${assetNameOf(row)} ${row.amount_stroops}`]
      : [];
  const moved = (made?.credits ?? []).map(
    ({ kind, source, account: to, asset, amount_stroops }) =>
      `${kind} ${source} ${to} ${asset} ${amount_stroops}`,
  );
  return moved.join() === wanted.join() ? [] : [`${name} moved [${moved}], not [${wanted}]`];
}
