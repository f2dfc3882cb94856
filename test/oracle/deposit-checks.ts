/** Pure: what contradicts "every credit, once, with its event", in words. */

import type { AppliedCredit } from './credits.ts';
import type { DepositEvidence, DepositRow } from './deposit-evidence.ts';
import type { Evidence } from './evidence.ts';
import type { AppliedTransaction } from './ledger.ts';

export function depositViolations(evidence: Evidence): string[] {
  const { deposits } = evidence;
  const expected = expectedDeposits(evidence);
  return [
    ...rowViolations(evidence, expected),
    ...addressViolations(evidence),
    ...eventViolations(deposits),
    ...deliveryViolations(deposits),
    ...cursorViolations(evidence),
  ];
}

/** Rows as they must be, without their ids, by where they are in the ledger. */
export function expectedDeposits({ transactions, deposits }: Evidence): Map<string, Expected> {
  const wallets = new Map(deposits.wallets.map((wallet) => [wallet.account, wallet]));
  const addresses = new Map(
    deposits.addresses.map(({ id, wallet_id, memo_id }) => [`${wallet_id} ${memo_id}`, id]),
  );
  const expected = new Map<string, Expected>();
  for (const transaction of transactions) {
    const { ledger, hash, credits } = transaction;
    if (ledger <= deposits.start_ledger || ledger > deposits.cursor.ledger) continue;
    for (const credit of credits) {
      const wallet = wallets.get(credit.account);
      if (!wallet) continue;
      const memo_id = idOf(transaction, credit, wallet.numeric_memo_text);
      const address_id = addresses.get(`${wallet.id} ${memo_id}`) ?? null;
      const key = `${hash} ${credit.operation_index} ${credit.event_index}`;
      expected.set(key, expectedRow(transaction, credit, { wallet_id: wallet.id, memo_id, address_id }));
    }
  }
  return expected;
}

type Expected = Omit<DepositRow, 'id' | 'assigned_by_hand'>;
type Attribution = Pick<DepositRow, 'wallet_id' | 'memo_id' | 'address_id'>;

function expectedRow(
  { hash, ledger, memo }: AppliedTransaction,
  credit: AppliedCredit,
  attribution: Attribution,
): Expected {
  const [asset_code = '', asset_issuer = null] = credit.asset.split(':');
  return {
    ...attribution,
    asset_code,
    asset_issuer,
    amount_stroops: credit.amount_stroops,
    source_account: credit.source,
    source_account_muxed: credit.source_muxed,
    stellar_tx_hash: hash,
    operation_index: credit.operation_index,
    event_index: credit.event_index,
    kind: credit.kind,
    memo_type: memo.type,
    memo: memo.value,
    ledger,
    attributed: attribution.address_id !== null,
  };
}

/** Muxed wins, then MEMO_ID, then, where the owner wants it, a text that is one. */
function idOf(
  { memo }: AppliedTransaction,
  { muxed_id }: AppliedCredit,
  numeric_memo_text: boolean,
): bigint | null {
  if (muxed_id !== null) return muxed_id;
  if (memo.type === 'id') return BigInt(memo.value ?? '');
  const canonical = memo.type === 'text' && /^(0|[1-9]\d{0,19})$/.test(memo.value ?? '');
  if (!numeric_memo_text || !canonical) return null;
  const id = BigInt(memo.value ?? '');
  return id < 2n ** 64n ? id : null;
}

const COMPARED = [
  ...(['wallet_id', 'address_id', 'asset_code', 'asset_issuer', 'amount_stroops', 'source_account'] as const),
  ...(['source_account_muxed', 'kind', 'memo_id', 'memo_type', 'memo', 'ledger', 'attributed'] as const),
];

/** A person has assigned it since, to an address of its wallet: as somebody asked. */
function assigned({ inbox, deposits, restored }: Evidence, row: DepositRow, truth: Expected): Expected {
  const { id, wallet_id, address_id, assigned_by_hand } = row;
  const asked = inbox.some((call) => call.deposit_id === id && call.address_id === address_id);
  const address = deposits.addresses.find((one) => one.id === address_id && one.wallet_id === wallet_id);
  if (!assigned_by_hand || truth.attributed || !address || !(asked || restored)) return truth;
  return { ...truth, attributed: true, address_id, memo_id: address.memo_id };
}

function rowViolations(evidence: Evidence, expected: Map<string, Expected>): string[] {
  const left = new Map(expected);
  const violations: string[] = [];
  for (const row of evidence.deposits.rows) {
    const key = `${row.stellar_tx_hash} ${row.operation_index} ${row.event_index}`;
    const credit = left.get(key);
    if (!left.delete(key) || !credit) {
      violations.push(
        `deposit ${row.id} is ${expected.has(key) ? 'there twice' : 'of nothing in the ledger'}: ${key}`,
      );
      continue;
    }
    const truth = assigned(evidence, row, credit);
    for (const field of COMPARED) {
      if (row[field] !== truth[field])
        violations.push(`deposit ${row.id} (${key}) has ${field} ${row[field]}, the ledger ${truth[field]}`);
    }
  }
  for (const [key, { kind, wallet_id, amount_stroops }] of left)
    violations.push(`LOST: ${kind} of ${amount_stroops} to wallet ${wallet_id}: ${key}`);
  return violations;
}

/** What a company was told of an address is so, and stays so. */
function addressViolations({ deposits: { returned_addresses, addresses }, restored }: Evidence): string[] {
  const known = new Map(addresses.map((address) => [address.id, address]));
  return returned_addresses.flatMap(({ id, wallet_id, memo_id, metadata }) => {
    const row = known.get(id);
    if (!row) return restored ? [] : [`address ${id} is gone`];
    const same = row.wallet_id === wallet_id && row.memo_id === memo_id && row.metadata === metadata;
    return same ? [] : [`address ${id} is not what was told of it`];
  });
}

function eventViolations({ rows, events, addresses }: DepositEvidence): string[] {
  const metadata = new Map(addresses.map((address) => [address.id, address.metadata ?? '{}']));
  const byDeposit = Map.groupBy(events, ({ body }) => depositIn(body));
  const violations = rows.flatMap((row) => {
    const own = byDeposit.get(row.id) ?? [];
    byDeposit.delete(row.id);
    const wanted = row.attributed ? 1 : 0;
    if (own.length !== wanted) return [`deposit ${row.id} has ${own.length} events, not ${wanted}`];
    return own.flatMap(({ id, wallet_id, body }) => [
      ...(wallet_id === row.wallet_id ? [] : [`event ${id} is of wallet ${wallet_id}`]),
      ...fieldsOf(row, metadata.get(row.address_id ?? '') ?? null)
        .filter((field) => !body.includes(field))
        .map((field) => `event ${id} does not say ${field}: ${body}`),
    ]);
  });
  return [
    ...violations,
    ...[...byDeposit.keys()].map((id) => `there is an event of ${id}, which is no deposit`),
  ];
}

function depositIn(body: string): string {
  return (
    /^\{"event":"deposit\.created","data":\{"id":"(\w+)"/.exec(body)?.[1] ?? `nothing: ${body.slice(0, 80)}`
  );
}

/** As they are in the bytes: numbers as digits, metadata as it was given. */
function fieldsOf(row: DepositRow, metadata: string | null): string[] {
  const { wallet_id, address_id, asset_code, amount_stroops, source_account, stellar_tx_hash, memo_id } = row;
  const text = {
    wallet_id,
    address_id,
    asset_code,
    asset_issuer: row.asset_issuer,
    source_account,
    stellar_tx_hash,
  };
  return [
    ...Object.entries(text).map(([name, value]) => `"${name}":${JSON.stringify(value)}`),
    `"amount_stroops":${amount_stroops}`,
    `"memo_id":${memo_id}`,
    `"ledger":${row.ledger}`,
    '"status":"confirmed"',
    '"attributed":true',
    `"metadata":${metadata}`,
  ];
}

/** One to each endpoint of its wallet that had chosen it when the event was made, and none else. */
function deliveryViolations({ events, deliveries, endpoints }: DepositEvidence): string[] {
  const byEvent = Map.groupBy(deliveries, ({ event_id }) => event_id);
  return events.flatMap(({ id, wallet_id, at }) => {
    const wanted = endpoints
      .filter((endpoint) => endpoint.wallet_id === wallet_id && endpoint.at < at)
      .filter(({ events: chosen }) => chosen.includes('deposit.created'))
      .filter(({ gone_at }) => gone_at === null || gone_at > at)
      .map((endpoint) => endpoint.id);
    const own = (byEvent.get(id) ?? []).map(({ endpoint_id }) => endpoint_id);
    return own.toSorted().join() === wanted.toSorted().join()
      ? []
      : [`event ${id} goes to [${own}], the endpoints were [${wanted}]`];
  });
}

function cursorViolations({ deposits, transactions, latest_ledger }: Evidence): string[] {
  const { moves, cursor, quarantined, wallets } = deposits;
  const own = new Set(wallets.map(({ account }) => account));
  const back = moves.findIndex((ledger, index) => ledger <= (moves[index - 1] ?? 0));
  const unread = transactions.filter(
    ({ ledger, credits }) => ledger > cursor.ledger && credits.some(({ account }) => own.has(account)),
  );
  return [
    ...(back < 0 ? [] : [`the cursor went from ${moves[back - 1]} to ${moves[back]}`]),
    ...(moves.length === 0 || moves.at(-1) === cursor.ledger ? [] : ['the cursor was moved unseen']),
    ...(cursor.ledger > latest_ledger ? ['the cursor is at a ledger that has not closed'] : []),
    ...(unread.length > 0 ? [`${unread.length} transactions are unread after ledger ${cursor.ledger}`] : []),
    ...(cursor.stop_reason === null ? [] : [`reading is stopped: ${cursor.stop_reason}`]),
    ...quarantined.map((hash) => `${hash} is quarantined`),
  ];
}
