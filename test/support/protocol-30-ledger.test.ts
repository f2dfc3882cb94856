/** The test server's ledgers of protocol 30, held to recorded ledgers of stellar-core 19 and 27. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { SANDBOX_PASSPHRASE } from '../../sandbox/passphrase.ts';
import { framesOf } from '../../sandbox/replay/frames.ts';
import { readLedgerCloseMeta } from '../../src/stellar/ledgers/ledger-close-meta.ts';
import { isWhole } from '../../src/stellar/ledgers/ledger-proof.ts';
import { checkChain } from '../../src/stellar/ledgers/ledger-range.ts';
import { asProtocol30, readLedger, setHash } from './protocol-30-ledger.ts';

const RECORDINGS = join(import.meta.dirname, '../../sandbox/testing/recordings');
const METHOD = 'getLedgers';

for (const core of ['19', '27']) {
  it(`recorded ledgers of core ${core}, put into protocol 30, are proven whole and make one chain`, () => {
    const stream = gunzipSync(readFileSync(join(RECORDINGS, `replay-core-${core}`, 'meta.xdr.gz')));
    let previous_hash: Buffer | null = null;
    let transactions = 0;
    const headers = [...framesOf(stream)].map((frame) => {
      const recorded = frame.toString('base64');
      const { header } = readLedger(recorded).body.ledgerHeader;
      const { closeTime, txSetHash } = header.scpValue;
      assert.deepEqual(setHash(readLedger(recorded).body.txSet), Buffer.from(txSetHash));
      const place = {
        previous_hash: previous_hash ?? Buffer.from(header.previousLedgerHash),
        close_time_ms: previous_hash && closeTime * 1000n + BigInt(header.ledgerSeq % 1000),
      };
      const written = asProtocol30(recorded, place);
      previous_hash = written.hash;
      const options = { method: METHOD, passphrase: SANDBOX_PASSPHRASE, sequence: written.sequence };
      const read = readLedgerCloseMeta(options, written.meta);
      assert.ok(isWhole(read.header, read.transactions), `${written.sequence}`);
      assert.equal(read.header.hash, written.hash.toString('hex'));
      assert.equal(read.header.close_time_ms, place.close_time_ms);
      transactions += read.transactions.length;
      return read.header;
    });
    assert.ok(headers.length > 100 && transactions > 500, `${headers.length} ${transactions}`);
    const after_ledger = (headers[0]?.sequence ?? 0) - 1;
    checkChain({ method: METHOD, after_ledger, after_hash: headers[0]?.previous_hash ?? null }, headers);
  });
}
