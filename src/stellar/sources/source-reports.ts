/** What is known of each source of the network: for readiness, for `teller sources`, and for the log. */
import type { Log } from '../../lib/log.ts';
import { NoAnswer, NotReached } from '../answers/answers.ts';
import { KNOWN_PROTOCOL, READS_UP_TO } from '../protocol/known-protocol.ts';
import type { Protocols, SourceDescription, SourceReport } from '../stellar.ts';
import { protocolReport } from './protocol-report.ts';
import { oneLine } from './unavailable.ts';

/**
 * Returns a function that asks every source and gives all reports. A source that is slow does not delay the answer as long
 * as another one can be used: its last report is given, or none when there is none yet.
 * `describe` throws NoAnswer when a source cannot be used; `protocols` throws nothing.
 */
export function createSourceReports(
  count: number,
  ask: {
    describe(index: number): Promise<SourceDescription>;
    protocols(index: number): Promise<Protocols>;
  },
  log: Log,
): () => Promise<SourceReport[]> {
  const last: SourceReport[] = [];
  const underWay: (Promise<SourceReport> | undefined)[] = [];
  let logged: string[] = [];

  /** Logs each warning when it begins. */
  function logProtocols(): void {
    const { state, network, warnings } = protocolReport(last.filter(() => true));
    const about = { network_protocol: network, known_protocol: KNOWN_PROTOCOL };
    for (const warning of warnings.filter((each) => !logged.includes(each)))
      log[state === 'above' ? 'error' : 'warn'](about, warning);
    logged = warnings;
  }

  async function reportOf(index: number): Promise<SourceReport> {
    const source = index + 1;
    const report = await ask.describe(index).then(
      (description) => ({ source, usable: true as const, description, protocols: protocolsIn(description) }),
      async (error: unknown) => {
        const protocols = error instanceof NotReached ? UNKNOWN_PROTOCOLS : await ask.protocols(index);
        return { source, usable: false as const, protocols, ...reasonOf(error, protocols) };
      },
    );
    underWay[index] = undefined;
    logNews(log, report, last[index]);
    last[index] = report;
    logProtocols();
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

const UNKNOWN_PROTOCOLS: Protocols = { network: null, supported: null };

function protocolsIn({ latest, supported_protocol }: SourceDescription): Protocols {
  return { network: latest.protocol_version, supported: supported_protocol };
}

function reasonOf(error: unknown, { network }: Protocols): { reason: string; detail: string } {
  if (!(error instanceof NoAnswer)) throw error;
  const isAhead = network !== null && network > KNOWN_PROTOCOL;
  const why = isAhead ? ` (it is at protocol ${network}; ${READS_UP_TO})` : '';
  const detail = `${oneLine(error.message)}${why}`;
  return { reason: error instanceof NotReached ? `${error.method}: no answer` : detail, detail };
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
