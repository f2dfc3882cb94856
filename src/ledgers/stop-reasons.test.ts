import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { version } from '../lib/version.ts';
import { KNOWN_PROTOCOL } from '../stellar/protocol/known-protocol.ts';
import { unreadable } from './stop-reasons.ts';

test('a ledger that cannot be read on a network above this version: the reason names protocol and version', () => {
  const next = KNOWN_PROTOCOL + 1;
  assert.equal(
    unreadable({ ledger: 150 }, next).message,
    'No source has given ledger 151 whole and proven for 30 s. ' +
      `The network is at protocol ${next}; this version of Stellar Teller (${version}) reads up to protocol ${KNOWN_PROTOCOL}: upgrade it.`,
  );
  assert.equal(
    unreadable({ ledger: 150 }, null).message,
    'No source has given ledger 151 whole and proven for 30 s; the log says why.',
  );
});
