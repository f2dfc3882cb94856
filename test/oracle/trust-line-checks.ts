/** Pure: what contradicts "each change of a trust line is made once at most, and its row is true", in words. */
import { type AssetCall, assetNameOf, type Evidence, type TrustLineRow } from './evidence.ts';
import type { AppliedTransaction } from './ledger.ts';

const LARGEST = 2n ** 63n - 1n;

export const isSettled = (status: string) => status === 'confirmed' || status === 'failed';

export function trustLineViolations(evidence: Evidence): string[] {
  const { trust_lines, transactions, wallets, foreign, restored, deposits } = evidence;
  const accounts = new Map(wallets.map(({ id, account }) => [id, account]));
  const own = new Set(accounts.values());
  const byInner = new Map(transactions.map((one) => [one.inner_hash, one]));
  const known = new Set(trust_lines.map(({ inner_tx_hash }) => inner_tx_hash));
  const strange = transactions.filter(
    ({ ledger, hash, inner_hash, trust_lines: made }) =>
      ledger > deposits.start_ledger &&
      !foreign.includes(hash) &&
      made.some(({ source }) => own.has(source)) &&
      !known.has(inner_hash),
  );
  return [
    ...(restored ? [] : strange.map(({ hash }) => `${hash} changes a trust line and no row has it`)),
    ...answerViolations(evidence),
    ...shownViolations(evidence),
    ...trust_lines.flatMap((row) =>
      rowViolations(evidence, row, {
        account: accounts.get(row.wallet_id),
        made: row.inner_tx_hash === null ? undefined : byInner.get(row.inner_tx_hash),
      }),
    ),
  ];
}

function rowViolations(
  { latest_close_time }: Evidence,
  row: TrustLineRow,
  { account, made }: { account: string | undefined; made: AppliedTransaction | undefined },
): string[] {
  const name = `trust line ${row.id} (key ${row.idempotency_key}, ${row.status})`;
  if (!isSettled(row.status)) return [`${name} is undecided; now ${latest_close_time}`];
  if (!made) {
    if (row.status === 'confirmed') return [`${name} is not on the ledger`];
    return row.max_time === null || BigInt(row.max_time) >= latest_close_time
      ? [`${name} was called failed although it can still be applied`]
      : [];
  }
  const fee = account === made.fee_account ? made.fee_stroops : 0n;
  const [change] = made.trust_lines;
  const truth = [
    made.successful ? 'confirmed' : 'failed',
    made.hash,
    made.ledger,
    fee,
    account,
    change?.source,
    change?.asset,
    change?.limit_stroops,
  ];
  const limit = row.operation === 'add_trust_line' ? LARGEST : 0n;
  const told = [
    row.status,
    row.stellar_tx_hash,
    row.ledger,
    row.fee_stroops,
    account,
    account,
    `${row.asset_code}:${row.asset_issuer}`,
    limit,
  ];
  return told.join() === truth.join() ? [] : [`${name} says ${told.join()}, the ledger ${truth.join()}`];
}

/** What was said to be done is on the ledger, and nobody was told of more changes than there are. */
function answerViolations({ asset_calls, trust_lines, transactions, restored }: Evidence): string[] {
  const changed = (call: AssetCall) =>
    transactions.some(
      ({ successful, trust_lines: made }) =>
        successful &&
        made.some(
          ({ source, asset, limit_stroops }) =>
            source === call.account && asset === call.asset && limit_stroops > 0n === (call.wish === 'add'),
        ),
    );
  const untrue = asset_calls.filter((call) => isDone(call) && !changed(call));
  const made = Map.groupBy(
    asset_calls.filter(({ answer }) => answer?.made),
    ({ wallet_id, asset }) => `${wallet_id} ${asset}`,
  );
  const rows = Map.groupBy(
    trust_lines.filter(({ operation, status }) => operation === 'add_trust_line' && status === 'confirmed'),
    (row) => `${row.wallet_id} ${assetNameOf(row)}`,
  );
  const tooMany = [...made].filter(([what, calls]) => calls.length > (rows.get(what)?.length ?? 0));
  return [
    ...asset_calls
      .filter(({ answer }) => answer?.status === 500)
      .map(({ wish, asset, answer }) => `${wish} ${asset}: ${answer?.code}: no answer for a client`),
    ...untrue.map(
      ({ wish, wallet_id, asset }) =>
        `${wish} ${asset} of wallet ${wallet_id} is done, and is not on the ledger`,
    ),
    ...(restored ? [] : tooMany.map(([what]) => `more trust lines were told of than made: ${what}`)),
  ];
}

function isDone({ answer }: AssetCall): boolean {
  return answer !== null && answer.status < 300;
}

const STATUSES = { full: 'active', maintain_liabilities: 'maintain_liabilities', none: 'unauthorized' };

/** Every trust line that the service has made is shown as it is. */
function shownViolations({ shown_assets, wallets, trust_lines, restored }: Evidence): string[] {
  if (shown_assets === null) return [];
  const shown = new Map(
    shown_assets.map(({ wallet_id, asset, status }) => [`${wallet_id} ${asset}`, status]),
  );
  return wallets.flatMap(({ id, issued }) =>
    issued.flatMap(({ asset, authorization }) => {
      const status = shown.get(`${id} ${asset}`);
      const added = trust_lines.some(
        (row) => row.wallet_id === id && assetNameOf(row) === asset && row.operation === 'add_trust_line',
      );
      if (authorization === null)
        return status === undefined || status === 'failed' ? [] : [`${asset} of ${id} is shown as ${status}`];
      if (status === STATUSES[authorization] || (status === undefined && (!added || restored))) return [];
      return [`${asset} of ${id} is shown as ${status}, its trust line is ${authorization}`];
    }),
  );
}
