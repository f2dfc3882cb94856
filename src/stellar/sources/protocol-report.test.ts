import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { version } from '../../lib/version.ts';
import { KNOWN_PROTOCOL } from '../protocol/known-protocol.ts';
import { protocolReport } from './protocol-report.ts';

const told = (...protocols: [network: number | null, supported: number | null][]) =>
  protocolReport(
    protocols.map(([network, supported], index) => ({
      source: index + 1,
      protocols: { network, supported },
    })),
  );
const KNOWN = KNOWN_PROTOCOL;
const NEXT = KNOWN + 1;
const READS = `this version of Stellar Teller (${version}) reads up to protocol ${KNOWN}`;

test('nothing is said while the network and its sources are at or below what this version reads', () => {
  assert.deepEqual(told([KNOWN, KNOWN]), { state: 'known', network: KNOWN, warnings: [] });
  assert.deepEqual(told([KNOWN - 1, KNOWN], [KNOWN - 1, null]), {
    state: 'known',
    network: KNOWN - 1,
    warnings: [],
  });
});

test('a network that no source tells of is unknown, and no reason to worry', () => {
  assert.deepEqual(told(), { state: 'known', network: null, warnings: [] });
  assert.deepEqual(told([null, null]), { state: 'known', network: null, warnings: [] });
});

test('from the day on which a source supports more than this version, it says so, and names source, protocol and version', () => {
  assert.deepEqual(told([KNOWN, KNOWN], [KNOWN, NEXT]), {
    state: 'coming',
    network: KNOWN,
    warnings: [
      `Source 2 supports protocol ${NEXT}; ${READS}: upgrade it before the network votes for protocol ${NEXT}.`,
    ],
  });
});

test('a network above this version is said once, with protocol and version, whichever source tells it', () => {
  assert.deepEqual(told([NEXT, NEXT], [NEXT, NEXT], [null, null]), {
    state: 'above',
    network: NEXT,
    warnings: [`The network is at protocol ${NEXT}; ${READS}: upgrade it.`],
  });
});

test('a source that has missed the upgrade is distinguished from one that cannot make it', () => {
  assert.deepEqual(told([KNOWN, KNOWN], [KNOWN - 1, KNOWN], [KNOWN - 1, KNOWN - 1]).warnings, [
    `Source 2 is at protocol ${KNOWN - 1}, and another one at protocol ${KNOWN}: source 2 lags behind the upgrade.`,
    `Source 3 supports protocol ${KNOWN - 1} only, and the network is at protocol ${KNOWN}: upgrade the source.`,
  ]);
});
