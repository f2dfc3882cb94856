import { comparedSums } from '../oracle/book-checks.ts';
import { isToContract } from '../oracle/contract-checks.ts';
import type { ApiWithdrawal, CrashEvidence } from './evidence.ts';

/** What happened in a run, in figures. */
export function summary(evidence: CrashEvidence): string[] {
  const { latest_ledger, transactions, clients, webhooks } = evidence;
  const { wallets, answers: heard } = clients;
  const { receipts } = webhooks;
  const withdrawals = wallets.flatMap((wallet) => wallet.withdrawals);
  const deposits = wallets.flatMap((wallet) => wallet.deposits);
  const deliveries = wallets.flatMap((wallet) => wallet.endpoints).flatMap((endpoint) => endpoint.deliveries);
  const count = (status: string) => withdrawals.filter((row) => row.status === status).length;
  const expired = withdrawals.filter((row) => row.failure?.code === 'expired').length;
  const answers = [...Map.groupBy(heard, (one) => one.http_status)].sort(([a], [b]) => a - b);
  const outcome_ms = withdrawals
    .flatMap(({ created_at, settled_at }) =>
      settled_at ? [Date.parse(settled_at) - Date.parse(created_at)] : [],
    )
    .sort((a, b) => a - b);
  const acknowledged = receipts.filter(({ answered }) => answered === 200);
  const duplicates =
    acknowledged.length - new Set(acknowledged.map(({ url, webhook_id }) => url + webhook_id)).size;
  return [
    `ledgers ${latest_ledger}, transactions ${transactions.length}, wallets ${wallets.length}`,
    `withdrawals ${withdrawals.length}: confirmed ${count('confirmed')}, failed ${count('failed')} (expired ${expired})`,
    assetsLine(evidence, withdrawals),
    contractsLine(evidence),
    `outcome after ms: median ${outcome_ms[outcome_ms.length >> 1]}, longest ${outcome_ms.at(-1)}`,
    `answers with the withdrawal: ${answers.map(([status, list]) => `${status} × ${list.length}`).join(', ')}`,
    `deposits ${deposits.length}, attributed ${deposits.filter((row) => row.attributed).length}`,
    `deliveries ${deliveries.length}, requests ${receipts.length}, acknowledged twice or more ${duplicates}`,
  ];
}

function contractsLine({ rows, trust_lines, treasury }: CrashEvidence): string {
  const transfers = rows.filter(isToContract);
  const paid = transfers.filter(({ status }) => status === 'confirmed').length;
  const fees = [...rows, ...trust_lines].filter(({ fee_paid_by }) => fee_paid_by === 'treasury').length;
  return `contracts: paid ${paid} of ${transfers.length}; by the treasury: fees ${fees}, reserves ${treasury?.sponsoring ?? 0}`;
}

function assetsLine(evidence: CrashEvidence, withdrawals: ApiWithdrawal[]): string {
  const { trust_lines, deposits } = evidence;
  const issued = withdrawals.filter(({ asset_issuer }) => asset_issuer !== null);
  const paid = issued.filter(({ status }) => status === 'confirmed').length;
  const received = deposits.rows.filter(({ asset_issuer }) => asset_issuer !== null).length;
  const changed = (wanted: string) =>
    trust_lines.filter(({ operation, status }) => operation === wanted && status === 'confirmed').length;
  const lines = `trust lines added ${changed('add_trust_line')}, removed ${changed('remove_trust_line')}`;
  return `issued assets: paid ${paid} of ${issued.length}, received ${received}; ${lines}; sums compared ${comparedSums(evidence)}`;
}
