/** Pure: what contradicts what clients saw over HTTP, in words; the rest is the oracle's. */
import { createHmac } from 'node:crypto';
import type { DepositRow } from '../oracle/deposit-evidence.ts';
import { assetNameOf, type WithdrawalRow } from '../oracle/evidence.ts';
import type { Receipt } from '../oracle/receipt.ts';
import { violations as oracleViolations } from '../oracle/violations.ts';
import { fromJson, toJson } from '../support/api.ts';
import type { ApiDeposit, ApiEndpoint, ApiWallet, ApiWithdrawal, CrashEvidence } from './evidence.ts';

export function violations(evidence: CrashEvidence): string[] {
  return [
    ...oracleViolations(evidence),
    ...ledgerViolations(evidence),
    ...listViolations(evidence),
    ...answerViolations(evidence),
    ...eventViolations(evidence),
  ];
}

/** The sandbox is killed too: a ledger that it showed to anybody must still be there. */
function ledgerViolations({ transactions, clients }: CrashEvidence): string[] {
  const hashes = new Set(transactions.map(({ hash }) => hash));
  const lost = clients.seen_by_payers.filter((hash) => !hashes.has(hash));
  return lost.map((hash) => `the ledger lost transaction ${hash}, which a payer saw applied`);
}

/** The API lists the rows of the database, each once, and every order is among them. */
function listViolations({ clients: { wallets }, rows, deposits, calls }: CrashEvidence): string[] {
  const withdrawals = wallets.flatMap((wallet) => wallet.withdrawals);
  const keys = new Set(withdrawals.map((one) => one.idempotency_key));
  const missing = new Set(calls.map(({ order }) => order.key).filter((key) => !keys.has(key)));
  return [
    ...[...missing].map((key) => `key ${key} has no withdrawal`),
    ...differences('withdrawal', withdrawals.map(withdrawalText), rows.map(withdrawalText)),
    ...differences(
      'deposit',
      wallets.flatMap((wallet) => wallet.deposits.map(depositText)),
      deposits.rows.map(depositText),
    ),
  ];
}

function differences(what: string, listed: string[], stored: string[]): string[] {
  return [
    ...without(listed, stored).map((one) => `the API lists the ${what} ${one}, which is no row`),
    ...without(stored, listed).map((one) => `the API does not list the ${what} ${one}`),
  ];
}

function withdrawalText(one: ApiWithdrawal | WithdrawalRow): string {
  const { id, wallet_id, idempotency_key, destination, amount_stroops, memo_id } = one;
  const { status, stellar_tx_hash, inner_tx_hash, ledger, fee_stroops } = one;
  const order = [id, wallet_id, idempotency_key, destination, assetNameOf(one), amount_stroops, memo_id];
  return [...order, status, stellar_tx_hash, inner_tx_hash, ledger, fee_stroops].join(' ');
}

function depositText(one: ApiDeposit | DepositRow): string {
  const { id, wallet_id, address_id, amount_stroops, source_account } = one;
  const { stellar_tx_hash, memo_id, ledger, attributed } = one;
  const payment = [assetNameOf(one), amount_stroops, source_account, stellar_tx_hash, memo_id, ledger];
  return [id, wallet_id, address_id, ...payment, attributed].join(' ');
}

/** What is left of `these` when each of `those` takes one away. */
function without(these: string[], those: string[]): string[] {
  const left = Map.groupBy(those, (one) => one);
  return these.filter((one) => left.get(one)?.pop() === undefined);
}

/** What a caller was told once stays true, every field of it: an outcome never changes. A newer version may add fields. */
function answerViolations({ clients: { answers, wallets } }: CrashEvidence): string[] {
  const byKey = new Map(
    wallets.flatMap(({ withdrawals }) => withdrawals).map((one) => [one.idempotency_key, one]),
  );
  return answers.flatMap(({ key, data }) => {
    const now = byKey.get(key);
    if (now?.id !== data.id) return [`key ${key}: an answer told of ${data.id}, it is ${now?.id}`];
    const told = Object.entries(data);
    const changed =
      data.status !== 'pending' && told.some(([name, value]) => toJson(value) !== fieldOf(now, name));
    return changed ? [`key ${key}: said ${toJson(data)}, now ${toJson(now)}`] : [];
  });
}

function fieldOf(withdrawal: ApiWithdrawal, name: string): string {
  return toJson((withdrawal as Record<string, unknown>)[name]);
}

/** Every attributed deposit was acknowledged by every endpoint, as the API shows it, and signed with the owner's secret. */
function eventViolations({ clients: { wallets }, webhooks }: CrashEvidence): string[] {
  const byUrl = Map.groupBy(webhooks.receipts, ({ url }) => url);
  return wallets.flatMap((wallet) =>
    wallet.endpoints.flatMap((endpoint) =>
      endpointViolations(wallet, endpoint, byUrl.get(endpoint.url) ?? []),
    ),
  );
}

function endpointViolations(
  { deposits }: ApiWallet,
  { id, signing_secret, deliveries }: ApiEndpoint,
  got: Receipt[],
): string[] {
  const attributed = deposits.filter((row) => row.attributed);
  const open = deliveries.filter(({ status }) => status !== 'delivered');
  const hmac = (body: string) => createHmac('sha256', signing_secret).update(body).digest('hex');
  const forged = got.filter(({ body, svc_signature }) => svc_signature !== hmac(body));
  const byDeposit = Map.groupBy(got, ({ body }) => (fromJson(body) as { data: { id: string } }).data.id);
  return [
    ...open.map((delivery) => `endpoint ${id}: not delivered: ${toJson(delivery)}`),
    ...(deliveries.length === attributed.length
      ? []
      : [`endpoint ${id}: ${deliveries.length} deliveries for ${attributed.length} attributed deposits`]),
    ...forged.map(({ body }) => `endpoint ${id}: not signed with its owner's secret: ${body}`),
    ...attributed.flatMap((deposit) => deliveryViolations(id, deposit, byDeposit.get(deposit.id) ?? [])),
  ];
}

function deliveryViolations(endpoint_id: string, deposit: ApiDeposit, got: Receipt[]): string[] {
  const name = `deposit ${deposit.id} at endpoint ${endpoint_id}`;
  const acknowledged = got.some(({ answered }) => answered !== null && answered >= 200 && answered <= 299);
  const distinct = new Set(got.map(({ body, webhook_id }) => `${webhook_id} ${body}`)).size;
  const told = `{"event":"deposit.created","data":${toJson(deposit)}}`;
  const wrong = got.filter(({ body }) => body !== told);
  return [
    ...(acknowledged ? [] : [`${name} was never acknowledged (${got.length} attempts)`]),
    ...(distinct <= 1 ? [] : [`${name} was told in ${distinct} versions`]),
    ...(wrong.length === 0 ? [] : [`${name} was told as ${wrong[0]?.body}, the API has ${toJson(deposit)}`]),
  ];
}
