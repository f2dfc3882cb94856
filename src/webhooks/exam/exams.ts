/**
 * Exams of endpoints, by the service. An exam is no delivery: it has no row in the delivery log, and it uses no number of an
 * event.
 *
 * | a crash | leaves |
 * |---|---|
 * | before the commit that begins the exam | nothing |
 * | after it | the entry of the audit log; the endpoint cannot be examined again before `examined_until` |
 *
 * The exam ends before `examined_until`, so that one endpoint is never examined twice at once, by whichever processes.
 */
import { auditedOnWallet, type OnWallet } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../lib/errors.ts';
import { ATTEMPT_TIMEOUT_MS, createPoster } from '../../outgoing/post.ts';
import { parseExemptions } from '../../outgoing/public-url.ts';
import { resolveByDns } from '../../outgoing/resolve-host.ts';
import { shownUrl } from '../../outgoing/shown-url.ts';
import { createKeyCache } from '../events/delivery-headers.ts';
import type { SampleData } from '../events/send-test-event.ts';
import { beginExam, endExam, findReceivers, lockToChange, type Receiver } from '../store/endpoint-store.ts';
import { lastSequences } from '../store/event-store.ts';
import { EXAM_MS, examine } from './examine.ts';
import type { ExamReport } from './report.ts';

/** Longer than an exam: the last request begins within EXAM_MS; the rest is for the statements around it. */
const LEASE_MS = EXAM_MS + ATTEMPT_TIMEOUT_MS + 15_000;

export type Exams = {
  /**
   * Examines an endpoint as deliveries would reach it; undefined when there is no such endpoint. It ends without a report
   * when `signal` aborts.
   * @throws AppError `endpoint_disabled`, `exam_running`, or `service_stopping`
   */
  examine(by: OnWallet, endpoint_id: string, signal: AbortSignal): Promise<ExamReport | undefined>;
  /** Ends all exams, now and later. */
  stop(): void;
};

export function createExams(deps: Deps, sampleData: SampleData): Exams {
  const stopping = new AbortController();
  return {
    async examine(by, endpoint_id, signal) {
      const until = new Date(deps.clock.now().getTime() + LEASE_MS);
      const receiver = await begin(deps, by, endpoint_id, until);
      if (!receiver) return undefined;
      let report: ExamReport | null = null;
      try {
        report = await examineReceiver(
          { ...deps, sampleData },
          by.wallet.id,
          receiver,
          AbortSignal.any([signal, stopping.signal]),
        );
        if (report) return report;
      } finally {
        const passed_at = report?.passed ? deps.clock.now() : null;
        await endExam(deps.db, endpoint_id, { until, url: receiver.url, passed_at });
      }
      throw new AppError('service_stopping', 'The exam was stopped. Repeat it.', { retry_after_seconds: 1 });
    },
    stop: () => stopping.abort(),
  };
}

async function begin(deps: Deps, by: OnWallet, id: string, until: Date): Promise<Receiver | undefined> {
  const now = deps.clock.now();
  return auditedOnWallet(deps, by, async (trx, note) => {
    const endpoint = await lockToChange(trx, by.wallet.id, id);
    if (!endpoint) return undefined;
    if (!endpoint.enabled)
      throw new AppError('endpoint_disabled', 'The webhook endpoint is disabled; enable it first.');
    if (!(await beginExam(trx, id, now, until)))
      throw new AppError('exam_running', 'An exam of this endpoint runs already; wait for its end.', {
        retry_after_seconds: 1,
      });
    const [receiver] = await findReceivers(trx, [id], now);
    const target = { kind: 'webhook_endpoint', id };
    note({ action: 'endpoint.examined', target, after: { url: shownUrl(endpoint.url) } });
    return receiver;
  });
}

/** Examines a receiver; null when `signal` aborts. */
async function examineReceiver(
  deps: Deps & { sampleData: SampleData },
  wallet_id: string,
  { endpoint_id, url, sealed_secret, old_sealed_secrets }: Receiver,
  signal: AbortSignal,
): Promise<ExamReport | null> {
  const poster = createPoster({
    exemptions: parseExemptions(deps.config.webhook_allowed_hosts),
    show_exempt_answers: deps.config.network === 'sandbox',
    resolve: resolveByDns,
    clock: deps.clock,
  });
  const openKeys = createKeyCache(deps.secrets, endpoint_id);
  const keys = { current: openKeys(sealed_secret), old: old_sealed_secrets.map(openKeys) };
  const close = () => void poster.close();
  signal.addEventListener('abort', close, { once: true });
  try {
    const deposit = (at: string) => deps.sampleData('deposit.test', { wallet_id, endpoint_id, at });
    const place = (await lastSequences(deps.db, [endpoint_id])).get(endpoint_id) ?? 0n;
    const examiner = { wallet_id, keys, deposit, place };
    return signal.aborted ? null : await examine({ clock: deps.clock, poster }, url, examiner);
  } finally {
    signal.removeEventListener('abort', close);
    await poster.close();
  }
}
