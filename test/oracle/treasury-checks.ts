/**
 * Pure: what contradicts "the treasury pays what TREASURY_PAYS names, and fills channels where they pay their fees (CHANNEL_FEES), and
 * nothing else; and every row says who paid", in words. What a wallet paid is in withdrawal-checks.ts and book-checks.ts: a fee that the treasury paid is in no wallet's books.
 */
import type { Evidence, PaidFee, TreasuryEvidence, TrustLineRow, WithdrawalRow } from './evidence.ts';
import type { AppliedTransaction } from './ledger.ts';

/** In base reserves: what a channel account costs. */
const RESERVES_OF_CHANNEL = 2;

export function treasuryViolations(evidence: Evidence): string[] {
  const { treasury } = evidence;
  if (!treasury) return [];
  return [
    ...chargeViolations(evidence, treasury),
    ...payerViolations(evidence, treasury),
    ...fillingViolations(evidence, treasury),
    ...lineViolations(evidence, treasury),
    ...sponsoringViolations(evidence, treasury),
    ...budgetViolations(evidence, treasury),
  ];
}

/** Each row says who was charged, and how much. */
function chargeViolations(
  { rows, trust_lines, transactions, wallets, channels, restored }: Evidence,
  treasury: TreasuryEvidence,
) {
  const accounts = new Map(wallets.map(({ id, account }) => [id, account]));
  const byHash = new Map(transactions.map((one) => [one.hash, one]));
  return [...rows, ...trust_lines].flatMap((row) => {
    const made = row.ledger === null ? undefined : byHash.get(row.stellar_tx_hash ?? '');
    const truth: PaidFee = {
      fee_paid_by: made ? payerOf(made, accounts.get(row.wallet_id), { treasury, channels }) : null,
      fee_charged_stroops: made?.fee_stroops ?? null,
    };
    const { fee_paid_by, fee_charged_stroops } = row;
    // An older copy has forgotten channels: whoever paid is a stranger to it.
    const isForgotten = restored && truth.fee_paid_by === 'channel' && fee_paid_by === 'other';
    const isPayer = fee_paid_by === truth.fee_paid_by || isForgotten;
    return isPayer && fee_charged_stroops === truth.fee_charged_stroops
      ? []
      : [
          `row ${row.id} says that ${fee_paid_by} paid a fee of ${fee_charged_stroops}, ` +
            `the ledger ${truth.fee_paid_by}, ${truth.fee_charged_stroops}`,
        ];
  });
}

function payerOf(
  { fee_account }: AppliedTransaction,
  wallet: string | undefined,
  { treasury, channels }: { treasury: TreasuryEvidence; channels: string[] },
) {
  if (fee_account === wallet) return 'wallet';
  if (channels.includes(fee_account)) return 'channel';
  return fee_account === treasury.account ? 'treasury' : 'other';
}

/** Checks, for what the service has sent, that the payer of the fee may pay it. Strangers may fee-bump everything. */
function payerViolations(evidence: Evidence, treasury: TreasuryEvidence): string[] {
  const known = new Set(
    [...evidence.rows, ...evidence.trust_lines].map(({ inner_tx_hash }) => inner_tx_hash),
  );
  return sentTransactions(evidence).flatMap((made) => [
    ...byTreasuryViolations(made, treasury, {
      isKnown: evidence.restored || known.has(made.inner_hash),
      // An older copy has forgotten some.
      isChannel: (account) => evidence.restored || evidence.channels.includes(account),
    }),
    ...byChannelViolations(made, treasury, evidence),
    ...byWalletViolations(made, treasury, evidence),
  ]);
}

/** What it sends itself makes channels, and fills them. */
function byTreasuryViolations(
  { hash, fee_account, source, payments }: AppliedTransaction,
  { account, pays, channel_stroops }: TreasuryEvidence,
  { isKnown, isChannel }: { isKnown: boolean; isChannel: (account: string) => boolean },
): string[] {
  if (source === account) {
    const most = (destination: string) => (isChannel(destination) ? (channel_stroops ?? 0n) : 0n);
    const given = payments.filter(({ amount_stroops, destination }) => amount_stroops > most(destination));
    return given.length > 0 ? [`${hash}: the treasury gave something away`] : [];
  }
  if (fee_account !== account) return [];
  return [
    ...(isKnown ? [] : [`${hash}: the treasury paid for what no row is about`]),
    ...(pays?.fees === false ? [`${hash}: the treasury paid a fee, and pays none`] : []),
  ];
}

/** A channel pays for its own transaction only, and only where channels pay. */
function byChannelViolations(
  { hash, fee_account, source }: AppliedTransaction,
  { channel_stroops }: TreasuryEvidence,
  { channels }: Evidence,
): string[] {
  if (!channels.includes(fee_account)) return [];
  return [
    ...(channel_stroops === null ? [`${hash}: a channel paid a fee, and channels pay none`] : []),
    ...(source === fee_account ? [] : [`${hash}: a channel paid the fee of another account's transaction`]),
  ];
}

/** No channel ever holds more than it may: whatever fails, it is not filled twice. Those that the database has forgotten count too. */
function fillingViolations(
  { transactions, channels, foreign }: Evidence,
  { account, channel_stroops }: TreasuryEvidence,
): string[] {
  const of_treasury = transactions.filter(
    ({ source, hash, successful }) => successful && source === account && !foreign.includes(hash),
  );
  const made = of_treasury.flatMap(({ payments }) => payments.filter(({ creates }) => creates));
  const held = new Map(
    [...channels, ...made.map(({ destination }) => destination)].map((each) => [each, 0n]),
  );
  const violations: string[] = [];
  for (const { hash, successful, source, fee_account, fee_stroops, payments } of transactions) {
    const before = held.get(fee_account);
    if (before !== undefined) held.set(fee_account, before - fee_stroops);
    for (const { destination, amount_stroops } of successful && source === account ? payments : []) {
      const balance = held.get(destination);
      if (balance === undefined) continue;
      held.set(destination, balance + amount_stroops);
      if (balance + amount_stroops > (channel_stroops ?? 0n))
        violations.push(
          `${hash}: the channel ${destination} holds ${balance + amount_stroops}, which is more than it may`,
        );
    }
  }
  return violations;
}

function byWalletViolations(
  { hash, fee_account, payments, trust_lines }: AppliedTransaction,
  { pays }: TreasuryEvidence,
  { wallets }: Evidence,
): string[] {
  const own = new Set(wallets.map(({ account }) => account));
  if (!own.has(fee_account)) return [];
  const spending = [...payments, ...trust_lines].map(({ source }) => source);
  return [
    ...(pays?.fees ? [`${hash}: a wallet paid a fee, and the treasury pays all`] : []),
    ...(spending.some((account) => own.has(account) && account !== fee_account)
      ? [`${hash}: a wallet paid the fee of another`]
      : []),
  ];
}

/** All but what others have signed with keys of ours, and what was before the service. */
function sentTransactions({ transactions, foreign, deposits }: Evidence): AppliedTransaction[] {
  return transactions.filter(({ ledger, hash }) => ledger > deposits.start_ledger && !foreign.includes(hash));
}

/** Who pays the reserves of the trust lines that the service adds. */
function lineViolations(evidence: Evidence, { account, pays }: TreasuryEvidence): string[] {
  const own = new Set(evidence.wallets.map((wallet) => wallet.account));
  return sentTransactions(evidence).flatMap(({ hash, trust_lines }) =>
    trust_lines.flatMap(({ source, asset, limit_stroops, sponsor }) => {
      if (!own.has(source)) return [];
      const possible = limit_stroops === 0n ? [null] : sponsorsBy(pays, account);
      return possible.includes(sponsor)
        ? []
        : [`${hash}: the reserve of ${asset} of ${source} is paid by ${sponsor}`];
    }),
  );
}

/** Null is the wallet itself. */
function sponsorsBy(pays: TreasuryEvidence['pays'], treasury: string): (string | null)[] {
  if (pays === null) return [treasury, null];
  return [pays.reserves ? treasury : null];
}

/** What its account says that it pays for others is its channels, and the trust lines that were made and not removed. */
function sponsoringViolations({ transactions }: Evidence, treasury: TreasuryEvidence): string[] {
  const channels = transactions
    .filter(({ successful, source }) => successful && source === treasury.account)
    .flatMap(({ payments }) => payments.filter(({ creates }) => creates));
  const lines = transactions
    .flatMap(({ line_sponsors }) => line_sponsors)
    .filter(({ sponsor }) => sponsor === treasury.account)
    .reduce((sum, { made }) => sum + (made ? 1 : -1), 0);
  const expected = RESERVES_OF_CHANNEL * channels.length + lines;
  return expected === treasury.sponsoring
    ? []
    : [`the treasury pays ${treasury.sponsoring} reserves of others, by its transactions ${expected}`];
}

/** The clocks of the processes differ by less than an hour: what counted within this span counted for the last claim of it. */
const BUDGET_SPAN_MS = 23 * 3_600_000;

/** No team has more than its budget of a day. The fee-bumps of what was accepted may exceed it. */
function budgetViolations({ rows, trust_lines, restored }: Evidence, { daily_stroops }: TreasuryEvidence) {
  if (daily_stroops === null || restored) return [];
  const paid = [...rows, ...trust_lines].filter(({ treasury_stroops }) => treasury_stroops !== null);
  return [...Map.groupBy(paid, ({ owner_id }) => owner_id)].flatMap(([team, ofTeam]) => {
    const most = ofTeam
      .map(({ counted_ms }) => {
        const span = ofTeam.filter(
          (row) => row.counted_ms >= counted_ms && row.counted_ms < counted_ms + BUDGET_SPAN_MS,
        );
        return span.reduce((sum, row) => sum + leastCounted(row), 0n);
      })
      .reduce((one, other) => (one > other ? one : other), 0n);
    return most <= daily_stroops
      ? []
      : [`the treasury paid ${most} for the team ${team} in a day, and its budget is ${daily_stroops}`];
  });
}

/** The least that a row ever counted as, from its claim on. */
function leastCounted(row: WithdrawalRow | TrustLineRow): bigint {
  const { treasury_stroops, status, ledger, fee_paid_by, fee_charged_stroops } = row;
  const asked = treasury_stroops ?? 0n;
  const isLine = 'operation' in row && row.operation === 'add_trust_line';
  if (status !== 'failed' && (isLine || ledger === null)) return asked;
  const isCounted = fee_paid_by === 'treasury' || fee_paid_by === 'channel';
  const charged = ledger !== null && isCounted ? (fee_charged_stroops ?? 0n) : 0n;
  return charged < asked ? charged : asked;
}
