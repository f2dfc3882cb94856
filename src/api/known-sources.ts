/** What the sources of the network told last: for answers that must not wait for the network, and for the metrics. */
import type { Deps } from '../deps.ts';
import { type Loop, startLoop } from '../lib/loop.ts';
import { KNOWN_PROTOCOL } from '../stellar/protocol/known-protocol.ts';
import { protocolReport } from '../stellar/sources/protocol-report.ts';
import type { SourceReport } from '../stellar/stellar.ts';

const FRESH_MS = 10_000;
/** The dashboard takes a longer silence for a service that is away. */
const PATIENCE_MS = 2_000;
const LOOK_MS = 60_000;

export type KnownSources = () => Promise<SourceReport[]>;

/**
 * Returns a function that asks the sources every ten seconds at most, and waits two seconds at most. It returns older reports while
 * the sources have not answered, and none before their first answer.
 */
export function createKnownSources({ stellar, clock }: Pick<Deps, 'stellar' | 'clock'>): KnownSources {
  let known: SourceReport[] = [];
  let asked_at_ms = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | null = null;

  async function ask(): Promise<void> {
    known = await stellar.sources(); // never rejects
    asking = null;
  }

  return async () => {
    const now_ms = clock.now().getTime();
    if (asking === null && Math.abs(now_ms - asked_at_ms) >= FRESH_MS) {
      asked_at_ms = now_ms;
      asking = ask();
    }
    if (asking === null) return known;
    const enough = new AbortController();
    await Promise.race([asking, clock.sleep(PATIENCE_MS, enough.signal)]);
    enough.abort();
    return known;
  };
}

type WatchDeps = Pick<Deps, 'stellar' | 'clock' | 'log' | 'metrics'>;

/** Asks once a minute, so that log and metrics tell of a new protocol though nobody asks the service. */
export function watchProtocols(deps: WatchDeps): Loop {
  deps.metrics.known_protocol.set(KNOWN_PROTOCOL);
  const step = async () => {
    tellProtocols(deps.metrics, await deps.stellar.sources());
    return false;
  };
  return startLoop({ ...deps, name: 'protocols', step, idle_ms: LOOK_MS });
}

/**
 * Sets the gauges of protocols. An unknown protocol of the network leaves its gauge as it was. A source that does not tell its
 * protocol has no series.
 */
function tellProtocols(
  { network_protocol, source_supported_protocol }: Deps['metrics'],
  reports: SourceReport[],
): void {
  const { network } = protocolReport(reports);
  if (network !== null) network_protocol.set(network);
  for (const { source, protocols } of reports) {
    if (protocols.supported === null) source_supported_protocol.remove({ source });
    else source_supported_protocol.set({ source }, protocols.supported);
  }
}
