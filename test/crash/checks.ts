/**
 * Pure: what contradicts the promises, in words. Every check goes from the ledger to the rows and back, so that nothing
 * is missing and nothing is invented. The credits of a wallet are reckoned here, by none of the service's code.
 */
import { createHmac } from 'node:crypto';
import { MuxedAccount } from '@stellar/stellar-sdk/base';
import { fromJson, toJson } from '../support/api.ts';
import type { LedgerTransaction } from '../support/ledger-truth.ts';
import type { Deposit, Evidence, Order, Receipt, Said, Shown, Wallet } from './evidence.ts';

export function violations(evidence: Evidence): string[] {
  return [
    ...ledgerViolations(evidence),
    ...withdrawalViolations(evidence),
    ...saidViolations(evidence),
    ...balanceViolations(evidence),
    ...depositViolations(evidence),
    ...eventViolations(evidence),
  ];
}

/** The sandbox dies too: a ledger that it showed to anybody must still be there. */
function ledgerViolations({ ledger, wallets, seen_by_payers }: Evidence): string[] {
  const hashes = new Set(ledger.transactions.map(({ hash }) => hash));
  const lost = seen_by_payers.filter((hash) => !hashes.has(hash));
  const wrong = wallets.filter(
    ({ account, balance_stroops }) => replay(ledger.transactions, account) !== balance_stroops,
  );
  return [
    ...lost.map((hash) => `the ledger lost transaction ${hash}, which a payer saw applied`),
    ...wrong.map(({ account }) => `the ledger's balance of ${account} is not what its transactions make it`),
    ...(hashes.size === ledger.transactions.length ? [] : ['a transaction is in the ledger twice']),
  ];
}

function replay(transactions: LedgerTransaction[], account: string): bigint {
  let balance = 0n;
  for (const transaction of transactions) {
    if (transaction.fee_account === account) balance -= transaction.fee_stroops;
    if (!transaction.successful) continue;
    for (const { destination, source, amount_stroops } of transaction.payments) {
      if (accountOf(source).account === account) balance -= amount_stroops;
      if (accountOf(destination).account === account) balance += amount_stroops;
    }
  }
  return balance;
}

// withdrawals

const identity = (account: string, destination: string, memo_id: bigint | null) =>
  `${account} ${destination} ${memo_id}`;

function withdrawalViolations({ ledger, wallets, orders }: Evidence): string[] {
  const rows = wallets.flatMap(({ withdrawals }) => withdrawals);
  const byKey = Map.groupBy(rows, (row) => row.idempotency_key);
  const { applied, unordered } = spendings(ledger.transactions, wallets, orders);
  const keys = new Set(orders.map(({ key }) => key));
  const found = unordered.map(({ hash }) => `${hash} spends from a wallet and nobody ordered it`);
  for (const order of orders) {
    const [row, ...more] = byKey.get(order.key) ?? [];
    if (!row || more.length > 0) found.push(`key ${order.key} has ${row ? 'several rows' : 'no row'}`);
    else found.push(...orderViolations(order, row, applied.get(order.key) ?? [], ledger.latest_close_time));
  }
  const strange = rows.filter((row) => !keys.has(row.idempotency_key));
  return [...found, ...strange.map(({ id }) => `withdrawal ${id}: nobody ordered it`)];
}

/** What each order made a wallet pay, failed attempts of the ledger included, by key. */
function spendings(transactions: LedgerTransaction[], wallets: Wallet[], orders: Order[]) {
  const accounts = new Map(wallets.map(({ id, account }) => [id, account]));
  const byIdentity = new Map(
    orders.map((order) => [
      identity(accounts.get(order.wallet_id) ?? '', order.destination, order.memo_id),
      order.key,
    ]),
  );
  const own = new Set(accounts.values());
  const spending = transactions.filter(({ fee_account }) => own.has(fee_account));
  const keyOf = ({ fee_account, memo_id, payments: [payment] }: LedgerTransaction) =>
    payment && byIdentity.get(identity(fee_account, payment.destination, memo_id));
  const applied = Map.groupBy(spending, keyOf);
  const unordered = applied.get(undefined) ?? [];
  return { applied, unordered };
}

function orderViolations(order: Order, row: Shown, applied: LedgerTransaction[], now: bigint): string[] {
  const name = `withdrawal ${row.id} (key ${order.key}, ${row.status})`;
  const [transaction, ...more] = applied;
  if (more.length > 0)
    return [`${name} was PAID ${applied.length} TIMES: ${applied.map(({ hash }) => hash).join(', ')}`];
  if (row.status === 'pending') return [`${name} is still pending, its time bound is ${row.expires_at}`];
  if (
    row.destination !== order.destination ||
    row.amount_stroops !== order.amount_stroops ||
    row.memo_id !== order.memo_id
  )
    return [`${name} is not what was ordered`];
  if (!transaction) {
    if (row.status === 'confirmed') return [`${name} is not on the ledger`];
    if (row.expires_at === null || BigInt(Date.parse(row.expires_at)) / 1000n > now)
      return [`${name} was called failed before its time bound had passed`];
    return row.ledger === null && row.fee_stroops === null
      ? []
      : [`${name} has a ledger and was not applied`];
  }
  const truth = {
    status: transaction.successful ? 'confirmed' : 'failed',
    stellar_tx_hash: transaction.hash,
    inner_tx_hash: transaction.inner_hash,
    ledger: BigInt(transaction.ledger),
    fee_stroops: transaction.fee_stroops,
    amount_stroops: transaction.payments[0]?.amount_stroops,
  };
  const { status, stellar_tx_hash, inner_tx_hash, ledger, fee_stroops, amount_stroops } = row;
  const told = { status, stellar_tx_hash, inner_tx_hash, ledger, fee_stroops, amount_stroops };
  return toJson(told) === toJson(truth) ? [] : [`${name} says ${toJson(told)}, the ledger ${toJson(truth)}`];
}

/** What a caller was told once stays true: an outcome never changes, an envelope is never another one. */
function saidViolations({ said, wallets }: Evidence): string[] {
  const rows = new Map(
    wallets.flatMap(({ withdrawals }) => withdrawals).map((row) => [row.idempotency_key, row]),
  );
  return said.flatMap((one: Said) => {
    const row = rows.get(one.key);
    const { data } = one;
    if (!row || row.id !== data.id)
      return [`key ${one.key}: an answer told of ${data.id}, the row is ${row?.id}`];
    const settled = data.status !== 'pending';
    const final = one.http_status === 201;
    if (final && !settled) return [`key ${one.key}: 201 with status pending`];
    if (settled && toJson(data) !== toJson(row))
      return [`key ${one.key}: said ${toJson(data)}, now ${toJson(row)}`];
    if (data.inner_tx_hash !== null && data.inner_tx_hash !== row.inner_tx_hash)
      return [`key ${one.key}: signed as ${data.inner_tx_hash}, then as ${row.inner_tx_hash}`];
    return [];
  });
}

function balanceViolations({ wallets }: Evidence): string[] {
  return wallets.flatMap(({ id, balance_stroops, deposits, withdrawals }) => {
    const paid = withdrawals.filter(({ status }) => status === 'confirmed');
    const sum = (amounts: bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
    const books =
      sum(deposits.map(({ amount_stroops }) => amount_stroops)) -
      sum(paid.map(({ amount_stroops }) => amount_stroops)) -
      sum(withdrawals.map(({ fee_stroops }) => fee_stroops ?? 0n));
    return books === balance_stroops
      ? []
      : [`wallet ${id}: deposits − withdrawals − fees = ${books}, the ledger has ${balance_stroops}`];
  });
}

// deposits

type Credit = Pick<
  Deposit,
  'stellar_tx_hash' | 'amount_stroops' | 'source_account' | 'memo_id' | 'ledger' | 'address_id'
>;

function depositViolations({ ledger, wallets }: Evidence): string[] {
  return wallets.flatMap((wallet) => {
    const credits = creditsOf(ledger.transactions, wallet).map(toJson);
    const rows = wallet.deposits.map((row) => toJson(creditIn(row)));
    const missing = without(credits, rows);
    const invented = without(rows, credits);
    const misjudged = wallet.deposits.filter(
      ({ attributed, address_id }) => attributed !== (address_id !== null),
    );
    return [
      ...missing.map((credit) => `wallet ${wallet.id}: no deposit for ${credit}`),
      ...invented.map((row) => `wallet ${wallet.id}: the ledger has no (or no second) credit ${row}`),
      ...misjudged.map(({ id }) => `deposit ${id}: attributed and address_id differ`),
    ];
  });
}

function creditsOf(transactions: LedgerTransaction[], wallet: Wallet): Credit[] {
  const addresses = new Map(wallet.addresses.map(({ id, memo_id }) => [memo_id, id]));
  return transactions
    .filter(({ successful }) => successful)
    .flatMap((transaction) =>
      transaction.payments.flatMap(({ destination, source, amount_stroops }) => {
        const { account, muxed_id } = accountOf(destination);
        if (account !== wallet.account) return [];
        const memo_id = muxed_id ?? transaction.memo_id;
        return creditIn({
          stellar_tx_hash: transaction.hash,
          amount_stroops,
          source_account: accountOf(source).account,
          memo_id,
          ledger: BigInt(transaction.ledger),
          address_id: (memo_id !== null && addresses.get(memo_id)) || null,
        });
      }),
    );
}

function creditIn({
  stellar_tx_hash,
  amount_stroops,
  source_account,
  memo_id,
  ledger,
  address_id,
}: Credit): Credit {
  return { stellar_tx_hash, amount_stroops, source_account, memo_id, ledger, address_id };
}

/** What is left of `these` when each of `those` takes one away. */
function without(these: string[], those: string[]): string[] {
  const left = [...those];
  return these.filter((one) => {
    const index = left.indexOf(one);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}

function accountOf(address: string): { account: string; muxed_id: bigint | null } {
  if (!address.startsWith('M')) return { account: address, muxed_id: null };
  const muxed = MuxedAccount.fromAddress(address, '0');
  return { account: muxed.baseAccount().accountId(), muxed_id: BigInt(muxed.id()) };
}

// events

function eventViolations({ wallets, receipts }: Evidence): string[] {
  const byUrl = Map.groupBy(receipts, ({ url }) => url);
  const urls = new Set(wallets.flatMap(({ endpoints }) => endpoints).map(({ url }) => url));
  const astray = [...byUrl.keys()].filter((url) => !urls.has(url));
  const found = wallets.flatMap((wallet) =>
    wallet.endpoints.flatMap((endpoint) =>
      endpointViolations(wallet, endpoint, byUrl.get(endpoint.url) ?? []),
    ),
  );
  return [...found, ...astray.map((url) => `something was sent to ${url}, which is no endpoint`)];
}

function endpointViolations(
  wallet: Wallet,
  { id, signing_secret, deliveries }: Wallet['endpoints'][number],
  got: Receipt[],
): string[] {
  const attributed = wallet.deposits.filter((row) => row.attributed);
  const open = deliveries.filter(({ status }) => status !== 'delivered');
  const hmac = (body: string) => createHmac('sha256', signing_secret).update(body).digest('hex');
  const forged = got.filter(({ body, signature }) => signature !== hmac(body));
  const byDeposit = Map.groupBy(got, ({ body }) => (fromJson(body) as { data: { id: string } }).data.id);
  const invented = [...byDeposit.keys()].filter((told) => !attributed.some((row) => row.id === told));
  return [
    ...open.map((delivery) => `endpoint ${id}: not delivered: ${toJson(delivery)}`),
    ...(deliveries.length === attributed.length
      ? []
      : [`endpoint ${id}: ${deliveries.length} deliveries for ${attributed.length} attributed deposits`]),
    ...forged.map(({ body }) => `endpoint ${id}: a wrong signature on ${body}`),
    ...attributed.flatMap((deposit) => deliveryViolations(id, deposit, byDeposit.get(deposit.id) ?? [])),
    ...invented.map((told) => `endpoint ${id} was told of ${told}, which is no deposit of it`),
  ];
}

function deliveryViolations(endpoint_id: string, deposit: Deposit, got: Receipt[]): string[] {
  const name = `deposit ${deposit.id} at endpoint ${endpoint_id}`;
  const acknowledged = got.some(({ answered }) => answered !== null && answered >= 200 && answered <= 299);
  const distinct = new Set(got.map(({ body, webhook_id }) => `${webhook_id} ${body}`)).size;
  const wrong = got.filter(({ body }) => body !== `{"event":"deposit.created","data":${toJson(deposit)}}`);
  return [
    ...(acknowledged ? [] : [`${name} was never acknowledged (${got.length} attempts)`]),
    ...(distinct <= 1 ? [] : [`${name} was told in ${distinct} versions`]),
    ...(wrong.length === 0 ? [] : [`${name} was told as ${wrong[0]?.body}, the row is ${toJson(deposit)}`]),
  ];
}
