import { version } from '../../lib/version.ts';

/**
 * The highest protocol of the network that this version reads. All of its XDR is in the SDK or in missing-arms.ts, and
 * missing-arms.test.ts holds both to vectors of that protocol. docs/protocol-upgrades.md says how to raise the number.
 */
export const KNOWN_PROTOCOL = 30;

/** What this version reads, as the end of a sentence. */
export const READS_UP_TO = `this version of Stellar Teller (${version}) reads up to protocol ${KNOWN_PROTOCOL}`;

/** Writes sentences about a network that is above this version. */
export function networkIsAhead(protocol: number): string {
  return `The network is at protocol ${protocol}; ${READS_UP_TO}: upgrade it.`;
}
