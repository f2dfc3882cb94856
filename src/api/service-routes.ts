import { z } from 'zod';
import { checkDatabase } from '../db/database.ts';
import { describeDatabaseFailure } from '../db/failures.ts';
import { disputed, type Led } from '../db/leadership.ts';
import { latenessOf } from '../deposits/reconcile/lateness.ts';
import { ageSeconds, summarize } from '../deposits/reconcile/reconcile-store.ts';
import type { Deps } from '../deps.ts';
import { envelope, envelopeSchema } from '../http/envelope.ts';
import type { HttpApp } from '../http/http-app.ts';
import { type DepositCursor, findDepositCursor } from '../ledgers/deposit-cursor.ts';
import { countQuarantined, walletsOfUnread } from '../ledgers/quarantine-store.ts';
import { ALARM_SECONDS, delayOf } from '../ledgers/stop-reasons.ts';
import { isOver } from '../ledgers/time-bound.ts';
import { countBlockedWallets } from '../ledgers/unmatched-store.ts';
import { readWithdrawalCursor } from '../ledgers/withdrawal-cursor.ts';
import { NetworkUnavailable } from '../stellar/network-unavailable.ts';
import { READS_UP_TO } from '../stellar/protocol/known-protocol.ts';
import { protocolReport } from '../stellar/sources/protocol-report.ts';
import type { LedgerPosition, SourceReport } from '../stellar/stellar.ts';
import { describeContractCalls } from '../withdrawals/assess/contract-cost.ts';
import { checkTreasury } from '../withdrawals/channels/treasury-watch.ts';
import { blockedTxSources } from '../withdrawals/engine/tx-source-store.ts';
import { describeFault } from './key-provider.ts';
import { missingKeys } from './missing-keys.ts';

export const READINESS_CACHE_MS = 1_000;
const KEYS_CACHE_MS = 600_000;
const MISSING_KEYS_CACHE_MS = 10_000;

const Check = z.object({ ok: z.boolean(), message: z.string() }).meta({ id: 'Check' });
/** From `quarantine` on they concern single transactions and wallets, or the withdrawals alone: the service stays ready. */
const Checks = z
  .object({
    database: Check,
    network: Check,
    deposits: Check,
    quarantine: Check,
    protocol: Check,
    withdrawals: Check,
    reconciliation: Check,
    keys: Check,
    key_provider: Check,
    treasury: Check,
    contract_calls: Check,
  })
  .meta({ id: 'Readiness' });

/** `checks` has the reasons, with numbers of ledgers and wallets. */
export type Readiness = { ready: boolean; checks: z.output<typeof Checks> };

/** The messages for strangers: the reasons would show how much the service has to do, and how late it is. */
const MESSAGES = {
  deposits: { true: 'deposits are read', false: 'deposits are not read as they should be' },
  quarantine: { true: 'no transaction is quarantined', false: 'transactions could not be read' },
  withdrawals: { true: 'nothing is blocked', false: 'signing is blocked, for some wallets or for all' },
  reconciliation: {
    true: 'the compared wallets agree with the ledger',
    false: 'a wallet differs from the ledger, or was not compared for long',
  },
  key_provider: {
    true: 'the key provider gives keys, or none is used',
    false: 'the key provider gives no keys: nothing is signed',
  },
  contract_calls: {
    true: 'transfers to contracts can pass',
    false: 'no first transfer to a contract can pass: it costs more than the operator allows',
  },
  treasury: { true: 'the treasury can pay', false: 'the treasury cannot pay for wallets' },
} as const;

function forStrangers({
  database,
  keys,
  network,
  protocol,
  ...checks
}: Readiness['checks']): Readiness['checks'] {
  const told = Object.entries(checks).map(([name, { ok }]) => [
    name,
    say(ok, MESSAGES[name as keyof typeof MESSAGES][`${ok}`]),
  ]);
  const told_keys = say(keys.ok, keys.message.replace(/ \(.*\)$/, '')); // a state of the machine
  // The reasons of unusable sources are shown, because a person who sets the service up looks here first.
  const reasons = network.message.replaceAll(/\d+([-:.T]\d+)*Z?/g, '…'); // a time is one number
  const told_network = say(network.ok, network.ok ? 'a source can be used' : reasons);
  return { database, keys: told_keys, protocol, network: told_network, ...Object.fromEntries(told) };
}

/** Adds the routes of liveness (the process responds) and readiness (it can do its work). */
export function serviceRoutes(app: HttpApp, deps: Deps): void {
  const readiness = createReadiness(deps);

  app.get(
    '/healthz',
    {
      config: { access: 'public', errors: [], client: 'service.health' },
      schema: {
        operationId: 'healthz',
        tags: ['service'],
        summary: 'Check liveness',
        description: '200 while the process responds.',
        response: { 200: envelopeSchema(z.object({})) },
      },
    },
    async (_request, reply) => reply.code(200).send(envelope(200, {})),
  );

  app.get(
    '/readyz',
    {
      config: { access: 'public', errors: [], client: 'service.ready' },
      schema: {
        operationId: 'readyz',
        tags: ['service'],
        summary: 'Check readiness',
        description:
          '200 while database, network and the reading of deposits work. The other checks leave the status at 200. ' +
          'The same path on METRICS_PORT has the reasons.',
        response: { 200: envelopeSchema(Checks), 503: envelopeSchema(Checks) },
      },
    },
    async (_request, reply) => {
      const { ready, checks } = await readiness();
      const data = forStrangers(checks);
      if (ready) return reply.code(200).send(envelope(200, data));
      return reply.code(503).send(envelope(503, data));
    },
  );
}

/** Returns a function that asks the database and the network once a second at most, however often /readyz is requested. */
export function createReadiness(deps: Deps): () => Promise<Readiness> {
  const describeKeys = cachedKeys(deps);
  let cached: { until_ms: number; answer: Promise<Readiness> } | null = null;
  return () => {
    const now_ms = deps.clock.now().getTime();
    if (!cached || cached.until_ms <= now_ms) {
      cached = { until_ms: now_ms + READINESS_CACHE_MS, answer: readinessOf(deps, describeKeys) };
    }
    return cached.answer;
  };
}

/** Returns a check of the keys. It reads the whole key journal, so it looks rarely; while keys are missing it looks more often. */
function cachedKeys(deps: Deps): () => Promise<Checked> {
  let looked_ms = Number.NEGATIVE_INFINITY;
  let known: Checked = say(true, '');
  return async () => {
    if (deps.key_journal.path === null)
      return say(true, 'there is no key journal: a wallet that a restored database lacks is lost');
    const fault = await deps.key_journal.fault();
    if (fault !== null)
      return say(false, `the key journal cannot be written to, so that no wallet can be made (${fault})`);
    const now_ms = deps.clock.now().getTime();
    const pause_ms = known.ok ? KEYS_CACHE_MS : MISSING_KEYS_CACHE_MS;
    if (Math.abs(now_ms - looked_ms) < pause_ms) return known;
    const { length } = await missingKeys(deps);
    looked_ms = now_ms;
    known =
      length === 0
        ? say(true, 'the database has every key of the key journal')
        : say(false, 'the database lacks keys of the key journal: see "teller keys" and the runbook');
    return known;
  };
}

async function readinessOf(deps: Deps, describeKeys: () => Promise<Checked>): Promise<Readiness> {
  const sources = deps.stellar.sources(); // never rejects
  const without = (error: unknown) => `the database ${describeDatabaseFailure(error)}`;
  const [
    database,
    network,
    protocol,
    deposits,
    quarantine,
    withdrawals,
    reconciliation,
    keys,
    treasury,
    calls,
  ] = await Promise.all([
    check(deps, describeDatabaseFailure, async () => {
      const refusal = await checkDatabase(deps.db);
      return refusal ? say(false, `refuses changes: ${refusal}`) : say(true, 'reachable');
    }),
    sources.then(describeNetwork),
    sources.then(describeProtocol),
    check(deps, without, async () => {
      const cursor = await findDepositCursor(deps.db);
      const told = describeIngestion(cursor, newestOf(await sources), deps.clock.now());
      return withDispute(told, await disputed(deps.db));
    }),
    check(deps, without, async () => describeQuarantine(await countQuarantined(deps.db))),
    check(deps, without, () => describeWithdrawals(deps)),
    check(deps, without, () => describeReconciliation(deps)),
    check(deps, () => 'the key journal or the database cannot be read', describeKeys),
    check(
      deps,
      () => 'the treasury cannot be read',
      () => checkTreasury(deps),
    ),
    describeContractCalls(deps), // never rejects
  ]);
  const ready = database.ok && network.ok && deposits.ok;
  return {
    ready,
    checks: {
      database,
      network,
      protocol,
      deposits,
      quarantine,
      withdrawals,
      reconciliation,
      keys,
      treasury,
      key_provider: describeKeyProvider(deps),
      contract_calls: calls,
    },
  };
}

type Checked = z.output<typeof Check>;

/** Adds to a check that two processes had the lead at once. The service stays ready: only one of the two can write. */
function withDispute({ ok, message }: Checked, two_lead: Led[]): Checked {
  if (two_lead.length === 0) return { ok, message };
  return say(
    ok,
    `${message}; two processes had the lead of ${two_lead.join(' and ')} at once: see the runbook`,
  );
}

function say(ok: boolean, message: string): Checked {
  return { ok, message };
}

/**
 * Runs a check. When it fails, `failureOf` makes its message. The error itself goes to the log only: it may name addresses and
 * users.
 */
async function check(
  deps: Deps,
  failureOf: (error: unknown) => string,
  work: () => Promise<Checked>,
): Promise<Checked> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof NetworkUnavailable && error.is_told))
      deps.log.warn({ err: error }, 'readiness check failed');
    return say(false, failureOf(error));
  }
}

/** Checks the sources. One source that can be used is enough. The message names each source that cannot, with the reason. */
function describeNetwork(reports: SourceReport[]): Checked {
  const newest = newestOf(reports);
  const reasons = reports.flatMap((report) =>
    report.usable ? [] : [`source ${report.source}: ${report.reason}`],
  );
  if (!newest) return say(false, reasons.join('; '));
  return say(true, [`at ledger ${newest.sequence}`, ...reasons].join('; '));
}

/** Checks the protocol of the network. A newer one alone does not make the service unready: it reads on as long as it can. */
export function describeProtocol(reports: SourceReport[]): Checked {
  const { network, warnings } = protocolReport(reports);
  if (warnings.length > 0) return say(false, warnings.join(' '));
  const told =
    network === null
      ? 'no source tells the protocol of the network'
      : `the network is at protocol ${network}`;
  return say(true, `${told}; ${READS_UP_TO}`);
}

/** Says which key provider is used. When it gives no keys, the message says since when, and why. */
function describeKeyProvider({ data_keys }: Deps): Checked {
  if (!data_keys) return say(true, 'no key provider is used');
  const { provider } = data_keys;
  const state = provider.state();
  if (state.ok) return say(true, `${provider.kind} gives keys`);
  const since = state.since.toISOString();
  return say(
    false,
    `${provider.kind}: ${describeFault(state)}, since ${since}; nothing is signed with it until it gives keys`,
  );
}

function newestOf(reports: SourceReport[]): LedgerPosition | null {
  const usable = reports.flatMap((report) => (report.usable ? [report.description.latest] : []));
  return usable.reduce<LedgerPosition | null>(
    (newest, latest) => (newest && newest.sequence >= latest.sequence ? newest : latest),
    null,
  );
}

export function describeIngestion(
  cursor: DepositCursor | undefined,
  newest: LedgerPosition | null,
  now: Date,
): Checked {
  if (!cursor) return say(false, 'no ledger has been read yet');
  if (cursor.stop_reason) return say(false, cursor.stop_reason);
  const delay = newest && delayOf(cursor, newest, now);
  if (delay) return say(false, delay.message);
  const silence_seconds = Math.round((now.getTime() - cursor.updated_at.getTime()) / 1000);
  const unknown = newest === null || cursor.close_time === null;
  if (unknown && silence_seconds > ALARM_SECONDS) {
    return say(false, `no ledger was read for ${silence_seconds} s; the last one was ${cursor.ledger}`);
  }
  return say(true, `read up to ledger ${cursor.ledger}`);
}

function describeQuarantine(count: bigint): Checked {
  if (count === 0n) return say(true, 'no transaction is quarantined');
  return say(false, `transactions that could not be read: ${count}; see "teller quarantine" and the runbook`);
}

/** Says why nothing is signed for any wallet; returns null when signing is allowed. */
export async function describeSigning(db: Deps['db']): Promise<Checked | null> {
  const cursor = await readWithdrawalCursor(db);
  if (cursor?.stop_reason) return say(false, `nothing is signed: ${cursor.stop_reason}`);
  if (cursor && !isOver(cursor.sign_after, cursor)) {
    const waits_seconds = cursor.sign_after - cursor.close_time + 1n;
    return say(
      false,
      `nothing is signed for another ${waits_seconds} s of ledger time: transactions that may be in flight must expire first`,
    );
  }
  return null;
}

async function describeWithdrawals(deps: Deps): Promise<Checked> {
  const halted = await describeSigning(deps.db);
  if (halted) return halted;
  const [tx_sources, blocked_wallets] = [await blockedTxSources(deps.db), await countBlockedWallets(deps.db)];
  const named = new Set([...(await walletsOfUnread(deps.db)).values()].flat()).size;
  if (tx_sources.length === 0 && blocked_wallets === 0n && named === 0)
    return say(true, 'no wallet is blocked');
  const unread =
    named > 0 ? `, ${named} wallets named by transactions that cannot be read (see "teller quarantine")` : '';
  return say(
    false,
    `blocked: ${tx_sources.length} transaction sources (see "teller tx-sources"), ${blocked_wallets} wallets with unmatched transactions (see "teller unmatched")${unread}; see the runbook`,
  );
}

async function describeReconciliation(deps: Deps): Promise<Checked> {
  const summary = await summarize(deps.db);
  const { different, compared, uncompared } = summary;
  if (different > 0n)
    return say(false, `${different} wallets differ from the ledger: see "teller reconcile" and the runbook`);
  const late = latenessOf(summary, deps.clock.now());
  if (late) return say(false, `${late}; see the log`);
  const age_seconds = ageSeconds(summary.oldest, deps.clock.now());
  const unknown = uncompared === 0n ? '' : `; ${uncompared} are not compared yet`;
  return say(true, `${compared} wallets agree with the ledger, as of ${age_seconds} s ago or less${unknown}`);
}
