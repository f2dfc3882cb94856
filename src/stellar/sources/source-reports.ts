/** What is known of each source of the network: for readiness, for `teller sources`, and for the log. */
import type { Log } from '../../lib/log.ts';
import type { SourceDescription, SourceReport } from '../stellar.ts';
import { NoAnswer, NotReached } from './answers.ts';

/**
 * Returns a function that asks every source and gives all reports. A source that is slow does not delay the answer as long
 * as another one can be used: its last report is given, or none when there is none yet.
 * `describe` throws NoAnswer when a source cannot be used.
 */
export function createSourceReports(
  count: number,
  describe: (index: number) => Promise<SourceDescription>,
  log: Log,
): () => Promise<SourceReport[]> {
  const last: SourceReport[] = [];
  const underWay: (Promise<SourceReport> | undefined)[] = [];

  async function reportOf(index: number): Promise<SourceReport> {
    const report = await describe(index).then(
      (description) => ({ source: index + 1, usable: true as const, description }),
      (error: unknown) => ({ source: index + 1, usable: false as const, ...reasonOf(error) }),
    );
    underWay[index] = undefined;
    logNews(log, report, last[index]);
    last[index] = report;
    return report;
  }

  return async () => {
    const reports = Array.from({ length: count }, (_, index) => (underWay[index] ??= reportOf(index)));
    const usable = reports.map(async (report) => {
      if (!(await report).usable) throw new Error('not usable');
    });
    await Promise.any(usable).catch(() => undefined);
    return last.filter(() => true);
  };
}

function reasonOf(error: unknown): { reason: string; detail: string } {
  if (!(error instanceof NoAnswer)) throw error;
  const detail = oneLine(error.message);
  return { reason: error instanceof NotReached ? `${error.method}: no answer` : detail, detail };
}

const MAX_REASON = 300;

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, MAX_REASON);
}

function logNews(log: Log, report: SourceReport, before: SourceReport | undefined): void {
  const { source } = report;
  if (report.usable) {
    const { software, latest, oldest_ledger, lacks } = report.description;
    const isKnown = before?.usable && before.description.software === software;
    const about = { source, software, latest_ledger: latest.sequence, oldest_ledger, lacks };
    if (!isKnown) log.info(about, 'a source of the network is usable');
  } else if (before?.usable !== false || before.detail !== report.detail) {
    log.warn({ source, reason: report.detail }, 'a source of the network is not usable');
  }
}
