/**
 * Pure: what the sources tell of the network's protocol, compared with what this version reads.
 *
 * | state    | what is true                                                        | what the operator does               |
 * |----------|---------------------------------------------------------------------|--------------------------------------|
 * | `known`  | neither the network nor any source is above this version            | nothing                              |
 * | `coming` | a source supports more than this version: the network may vote soon | upgrades before the vote takes effect |
 * | `above`  | the network is above this version                                   | upgrades now                         |
 */

import { KNOWN_PROTOCOL, networkIsAhead, READS_UP_TO } from '../protocol/known-protocol.ts';
import type { SourceReport } from '../stellar.ts';

export type ProtocolReport = {
  state: 'known' | 'coming' | 'above';
  /** The network's protocol: the highest that a source tells. Null when none does. */
  network: number | null;
  /** One line for each fact that somebody should know. */
  warnings: string[];
};

type Told = Pick<SourceReport, 'source' | 'protocols'>;

export function protocolReport(reports: Told[]): ProtocolReport {
  const network = reports.reduce<number | null>(
    (highest, { protocols }) => higher(highest, protocols.network),
    null,
  );
  const isAbove = network !== null && network > KNOWN_PROTOCOL;
  const ahead = isAbove ? [] : reports.flatMap(aheadOfUs);
  return {
    state: isAbove ? 'above' : ahead.length > 0 ? 'coming' : 'known',
    network,
    warnings: [
      ...(isAbove ? [networkIsAhead(network)] : []),
      ...ahead,
      ...reports.flatMap((told) => behindNetwork(told, network)),
    ],
  };
}

function higher(a: number | null, b: number | null): number | null {
  return a === null || (b !== null && b > a) ? b : a;
}

function aheadOfUs({ source, protocols: { supported } }: Told): string[] {
  if (supported === null || supported <= KNOWN_PROTOCOL) return [];
  return [
    `Source ${source} supports protocol ${supported}; ${READS_UP_TO}: upgrade it before the network votes for protocol ${supported}.`,
  ];
}

/** Reports a source behind the network. The network upgrades all at once: a source at an older protocol has missed the upgrade. */
function behindNetwork(
  { source, protocols: { network: own, supported } }: Told,
  network: number | null,
): string[] {
  if (network === null) return [];
  if (supported !== null && supported < network)
    return [
      `Source ${source} supports protocol ${supported} only, and the network is at protocol ${network}: upgrade the source.`,
    ];
  if (own !== null && own < network)
    return [
      `Source ${source} is at protocol ${own}, and another one at protocol ${network}: source ${source} lags behind the upgrade.`,
    ];
  return [];
}
