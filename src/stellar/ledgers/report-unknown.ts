import type { Log } from '../../lib/log.ts';
import type { Metrics } from '../../lib/metrics.ts';
import { KNOWN_PROTOCOL } from '../protocol/known-protocol.ts';
import type { UnknownMet } from '../stellar.ts';

/** Counts what ledgers have of later protocols, and logs each kind of it once: it may then be in every ledger. */
export function createUnknownReport({
  log,
  metrics,
}: {
  log: Log;
  metrics: Pick<Metrics, 'unknown_arms'>;
}): (unknown: UnknownMet[]) => void {
  const told = new Set<string>();
  return (unknown) => {
    for (const { type, discriminant, protocol_version } of unknown) {
      metrics.unknown_arms.inc({ type });
      const kind = `${type} ${discriminant}`;
      if (told.has(kind)) continue;
      told.add(kind);
      log.warn({ type, discriminant, protocol_version, known_protocol: KNOWN_PROTOCOL }, MET);
    }
  };
}

const MET =
  'The ledger has something that this version does not know. Transactions of others with it are passed by; one that names a ' +
  'wallet is quarantined. Upgrade the service; see the runbook.';
