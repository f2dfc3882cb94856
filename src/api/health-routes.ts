/**
 * The health of one wallet, for its owner: the checks of /readyz and the state of this wallet. It reads all slices, so it
 * stands above them.
 */
import { z } from 'zod';
import { countInbox, INBOX_COUNTED } from '../deposits/inbox/inbox-store.ts';
import { lastComparisons } from '../deposits/reconcile/reconcile-store.ts';
import type { Deps } from '../deps.ts';
import { envelope, envelopeSchema } from '../http/envelope.ts';
import type { HttpApp } from '../http/http-app.ts';
import { Id, Time } from '../http/schemas.ts';
import { findDepositCursor } from '../ledgers/deposit-cursor.ts';
import { countUnread } from '../ledgers/quarantine-store.ts';
import { lagSeconds } from '../ledgers/stop-reasons.ts';
import { countUnmatched } from '../ledgers/unmatched-store.ts';
import { assetText } from '../stellar/asset.ts';
import { NetworkUnavailable } from '../stellar/network-unavailable.ts';
import type { LedgerPosition } from '../stellar/stellar.ts';
import type { Wallet } from '../wallets/access.ts';
import { countEndpoints } from '../webhooks/endpoints/count-endpoints.ts';
import { blockedReasonOf, countChannelSources } from '../withdrawals/engine/tx-source-store.ts';
import { asOf } from '../withdrawals/policies/policies.ts';
import { findPolicy } from '../withdrawals/policies/policy-store.ts';
import type { KnownSources } from './known-sources.ts';
import {
  describeIngestion,
  describeProtocol,
  describeSigning,
  READINESS_CACHE_MS,
} from './service-routes.ts';

const Check = { ok: z.boolean(), message: z.string() };

const HealthResource = z
  .object({
    deposits: z.object({
      ...Check,
      lag_seconds: z.int().nullable().meta({
        description: 'How many seconds the reading is behind the network; null when it is unknown',
      }),
    }),
    withdrawals: z
      .object(Check)
      .meta({ description: 'Whether something blocks the withdrawals of this wallet' }),
    webhooks: z.object({
      ...Check,
      total: z.int().meta({ description: 'Endpoints of the wallet' }),
      failing: z.int().meta({ description: 'Endpoints whose last attempt failed' }),
      disabled: z.int().meta({ description: 'Endpoints that the service has disabled' }),
    }),
    channels: z.object({
      ...Check,
      free: z.int(),
      total: z.int().meta({ description: 'Channel accounts; all wallets share them' }),
    }),
    reconciliation: z.object({
      ...Check,
      ledger: z.int().nullable().meta({ description: 'Null before the first comparison' }),
      checked_at: Time.nullable().meta({ description: 'Time of the comparison; null before the first one' }),
    }),
    protocol: z.object(Check).meta({
      description:
        'Whether this version of the service reads the protocol of the network, and the next one that a source supports',
    }),
    inbox: z.object({
      unattributed: z.int().meta({
        description: `Deposits without a deposit address that are not refunded; ${INBOX_COUNTED} means that many or more`,
      }),
      own_funds: z.int().meta({
        description:
          'How many of these are own funds, as in the statistics: nobody has to assign or refund them',
      }),
    }),
  })
  .meta({ id: 'WalletHealth' });

type Health = z.input<typeof HealthResource>;

export function healthRoutes(app: HttpApp, deps: Deps, knownSources: KnownSources): void {
  const newestLedger = newestLedgerOf(deps);

  app.get(
    '/v1/wallets/:id/health',
    {
      config: { access: 'key', roles: 'everyone', scopes: ['read'], errors: [], client: 'wallets.health' },
      schema: {
        operationId: 'getWalletHealth',
        tags: ['wallets'],
        summary: 'Get wallet health',
        description:
          'Whether deposits, withdrawals, webhooks, channel accounts and books of the wallet work as they should, and ' +
          'whether the service knows the protocol of the network.',
        params: z.object({ id: Id }),
        response: { 200: envelopeSchema(HealthResource) },
      },
    },
    async (request, reply) => {
      const { wallet } = request;
      const [deposits, withdrawals, webhooks, channels, reconciliation, sources, inbox] = await Promise.all([
        depositsHealth(deps, newestLedger),
        withdrawalsHealth(deps, wallet),
        webhooksHealth(deps, wallet),
        channelsHealth(deps),
        reconciliationHealth(deps, wallet),
        knownSources(),
        countInbox(deps.reads, wallet.id),
      ]);
      const protocol = describeProtocol(sources);
      const health = { deposits, withdrawals, webhooks, channels, reconciliation, protocol, inbox };
      return reply.code(200).send(envelope(200, health));
    },
  );
}

/**
 * Returns a function that asks the network for its newest ledger once a second at most, however many dashboards are open. Null while
 * the network does not respond.
 */
function newestLedgerOf({ stellar, clock, log }: Deps): () => Promise<LedgerPosition | null> {
  let cached: { until_ms: number; answer: Promise<LedgerPosition | null> } | null = null;
  return () => {
    const now_ms = clock.now().getTime();
    if (!cached || cached.until_ms <= now_ms) {
      const answer = stellar.latestLedger().catch((error: unknown) => {
        if (!(error instanceof NetworkUnavailable && error.is_told))
          log.warn({ err: error }, 'the newest ledger is unknown');
        return null;
      });
      cached = { until_ms: now_ms + READINESS_CACHE_MS, answer };
    }
    return cached.answer;
  };
}

async function depositsHealth(
  { reads: db, clock }: Deps,
  newestLedger: () => Promise<LedgerPosition | null>,
): Promise<Health['deposits']> {
  const [cursor, newest] = await Promise.all([findDepositCursor(db), newestLedger()]);
  const lag_seconds = cursor && newest ? lagSeconds(cursor, newest.close_time) : null;
  return { ...describeIngestion(cursor, newest, clock.now()), lag_seconds };
}

async function withdrawalsHealth({ reads: db, clock }: Deps, wallet: Wallet): Promise<Health['withdrawals']> {
  const halted = await describeSigning(db);
  if (halted) return halted;
  const unmatched = await countUnmatched(db, wallet.id);
  if (unmatched > 0) {
    const message = `nothing is signed: ${unmatched} outgoing transactions match no withdrawal; see "teller unmatched"`;
    return { ok: false, message };
  }
  const unread = await countUnread(db, wallet.id);
  if (unread > 0) {
    const message = `nothing is signed: ${unread} transactions that cannot be read name the wallet; see "teller quarantine"`;
    return { ok: false, message };
  }
  const blocked_reason = await blockedReasonOf(db, wallet.account);
  if (blocked_reason) return { ok: false, message: blocked_reason };
  const stored = await findPolicy(db, wallet.id);
  if (stored.operator_freeze)
    return {
      ok: false,
      message: 'the operator of the service has frozen the wallet: it accepts no new withdrawals',
    };
  const { policy } = asOf(stored, clock.now());
  if (policy.frozen) return { ok: false, message: 'the wallet is frozen: it accepts no new withdrawals' };
  return { ok: true, message: 'withdrawals are not blocked' };
}

async function webhooksHealth({ reads: db }: Deps, wallet: Wallet): Promise<Health['webhooks']> {
  const counts = await countEndpoints(db, wallet.id);
  const { total, failing, disabled } = counts;
  const ok = failing + disabled === 0;
  if (total === 0) return { ok, message: 'no endpoint is registered', ...counts };
  if (ok) return { ok, message: `endpoints: ${total}, none failing`, ...counts };
  return { ok, message: `endpoints: ${total}, failing: ${failing}, disabled: ${disabled}`, ...counts };
}

async function channelsHealth({ reads: db }: Deps): Promise<Health['channels']> {
  const { total, free, blocked } = await countChannelSources(db);
  if (blocked > 0)
    return {
      ok: false,
      message: `${blocked} of ${total} channel accounts are blocked; see "teller tx-sources"`,
      free,
      total,
    };
  if (total === 0)
    return {
      ok: true,
      message: 'no channel accounts: each wallet sends one withdrawal at a time',
      free,
      total,
    };
  return { ok: true, message: `${free} of ${total} channel accounts are free`, free, total };
}

async function reconciliationHealth({ reads: db }: Deps, wallet: Wallet): Promise<Health['reconciliation']> {
  const rows = await lastComparisons(db, [wallet.id]);
  if (rows.length === 0)
    return { ok: true, message: 'not compared with the ledger yet', ledger: null, checked_at: null };
  const ledger = Math.max(...rows.map((row) => row.ledger));
  const checked_ms = Math.min(...rows.map((row) => row.checked_at.getTime()));
  const last = { ledger, checked_at: new Date(checked_ms).toISOString() };
  const different = rows.filter(({ difference_stroops }) => difference_stroops !== 0n);
  if (different.length === 0) return { ok: true, message: 'the books agree with the ledger', ...last };
  const assets = different
    .map(({ asset_code, asset_issuer }) => assetText({ asset_code, asset_issuer: asset_issuer || null }))
    .join(', ');
  return { ok: false, message: `the books differ from the ledger in ${assets}`, ...last };
}
