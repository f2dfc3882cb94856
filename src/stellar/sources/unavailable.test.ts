/** Why no source gives an answer that can be used: each sentence is true, and says what to do. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import { freePort } from '../../../test/support/free-port.ts';
import { seededRandom } from '../../../test/support/random.ts';
import { chainOfNodes, type Script } from '../../../test/support/scripted-rpc.ts';
import { systemClock } from '../../lib/clock.ts';
import { createLog } from '../../lib/log.ts';
import { createMetrics } from '../../lib/metrics.ts';
import { version } from '../../lib/version.ts';
import type { NetworkUnavailable } from '../network-unavailable.ts';
import { KNOWN_PROTOCOL } from '../protocol/known-protocol.ts';
import { createStellar } from './create-stellar.ts';

const NEXT = KNOWN_PROTOCOL + 1;
const VECTORS = join(import.meta.dirname, '../../../sandbox/testing/recordings/protocol-30/ledgers.json');
const [vector] = JSON.parse(readFileSync(VECTORS, 'utf8'));
/** A header alone, out of an entry of the history: after its hash, before the entry's own `ext`. */
const header = Buffer.from(vector.header_entry_xdr, 'base64').subarray(32, -4);

const unreadable: Script = {
  getLatestLedger: () => ({ result: { sequence: vector.sequence, headerXdr: 'AAAA' } }),
};
const away: Script = { getLatestLedger: () => ({ status: 503, text: 'away' }) };
const aheadOf = (script: Script, protocolVersion: number): Script => ({
  ...script,
  getNetwork: () => ({ result: { passphrase: 'Standalone Network ; February 2017', protocolVersion } }),
});

async function refusal(...scripts: Script[]): Promise<NetworkUnavailable> {
  const { stellar } = await chainOfNodes(...scripts);
  return stellar.latestLedger().then(
    () => assert.fail('it answered'),
    (error) => error,
  );
}
const sentence = async (...scripts: Script[]) => (await refusal(...scripts)).message;

test('"no source answered" is said only where nothing answered', async (t) => {
  const url = `http://127.0.0.1:${await freePort(seededRandom('no source'))}`;
  const stellar = createStellar({
    rpc_urls: [url],
    horizon_urls: [url],
    passphrase: 'x',
    clock: systemClock,
    log: createLog('silent', false),
    metrics: createMetrics(),
  });
  t.after(() => stellar.close());
  await assert.rejects(stellar.latestLedger(), {
    name: 'NetworkUnavailable',
    message: 'No Stellar source answered; nothing was started.',
  });
});

test('an outage is one line of the log, however many questions get no answer', async (t) => {
  const lines: string[] = [];
  const stellar = createStellar({
    rpc_urls: ['http://127.0.0.1:1'],
    horizon_urls: [],
    passphrase: 'x',
    clock: systemClock,
    log: pino({ level: 'info' }, { write: (line) => void lines.push(line) }),
    metrics: createMetrics(),
  });
  t.after(() => stellar.close());
  for (let asked = 0; asked < 10; asked++) {
    await assert.rejects(stellar.latestLedger(), { is_told: true });
    await assert.rejects(stellar.readSequences(['GX']), { is_told: true });
  }
  const told = lines.map((line) => JSON.parse(line)).map(({ msg, times }) => [msg, times]);
  assert.deepEqual(told, [['no source of the network gives a usable answer', 1]]);
});

test('sources that answered are not said to be away, and the cause names each one and its reason', async () => {
  const one = await refusal(unreadable);
  assert.equal(
    one.message,
    'The Stellar source answered, but its answer could not be used; nothing was started.',
  );
  assert.match(`${(one.cause as Error).message}`, /^source 1: getLatestLedger: /);
  const two = await refusal(unreadable, away);
  assert.equal(
    two.message,
    'The Stellar sources answered, but their answers could not be used; nothing was started.',
  );
  assert.match(`${(two.cause as Error).message}`, /source 1: .*; source 2: getLatestLedger: HTTP 503$/);
  assert.equal(two.protocol_ahead, null);
});

test('an answer that cannot be read on a network above this version: the sentence names protocol and version', async () => {
  const error = await refusal(aheadOf(unreadable, NEXT));
  assert.equal(
    error.message,
    `The network is at protocol ${NEXT}; this version of Stellar Teller (${version}) reads up to protocol ` +
      `${KNOWN_PROTOCOL}: upgrade it. Nothing was started.`,
  );
  assert.equal(error.protocol_ahead, NEXT);
});

test('a newer protocol is no excuse for a source that is away, and a known one none for an answer that cannot be read', async () => {
  const could_not = /answered, but its answer could not be used/;
  assert.match(await sentence(aheadOf(away, NEXT)), could_not);
  assert.match(await sentence(aheadOf(unreadable, KNOWN_PROTOCOL)), could_not);
});

test('reports: what each source supports, and why one cannot be used, with the protocol where that is why', async () => {
  const readable = header.toString('base64');
  const health = { oldestLedger: 2, latestLedger: 2, latestLedgerCloseTime: vector.close_time };
  const usable: Script = {
    getLatestLedger: () => ({ result: { sequence: vector.sequence, headerXdr: readable } }),
    getHealth: () => ({ result: health }),
    getVersionInfo: () => ({ result: { version: '30.0.0', protocolVersion: NEXT } }),
  };
  const silent: Script = {
    ...usable,
    getVersionInfo: () => ({ result: { version: '22.1.0', protocolVersion: 'x' } }),
  };
  const { stellar } = await chainOfNodes(usable, silent, aheadOf(unreadable, NEXT));
  let reports = await stellar.sources();
  while (reports.length < 3) reports = await stellar.sources(); // the slowest one is not waited for
  assert.deepEqual(
    reports.map(({ usable, protocols }) => [usable, protocols.supported]),
    [
      [true, NEXT],
      [true, null],
      [false, null],
    ],
  );
  const network = header.readUInt32BE(0);
  assert.deepEqual(
    reports.map(({ protocols }) => protocols.network),
    [network, network, NEXT],
  );
  const last = reports[2];
  assert.ok(last?.usable === false);
  assert.match(
    last.reason,
    new RegExp(`^getLatestLedger: .* \\(it is at protocol ${NEXT}; this version of .* reads up to`),
  );
});
