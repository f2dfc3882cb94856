import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import { envelopesOf, ledgersIn, missing, processingOf } from '../../sandbox/testing/recorded-ledgers.ts';
import { appliedTransaction, sourcesOf } from './applied.ts';
import { envelopeHashes } from './envelope.ts';
import { isSound, isWhole, type NamedTransaction } from './ledger-proof.ts';

const PUBLIC = 'Public Global Stellar Network ; September 2015';
const RECORDED = ['ledger-51000294', 'ledger-63092990', 'ledger-63092996'];

for (const name of RECORDED) {
  const file = `wallet-backend/${name}.xdr.gz`;
  test(`the public network’s ${name} is whole, and each of its transactions agrees with itself`, {
    skip: missing(file),
  }, () => {
    for (const meta of ledgersIn(file)) {
      const { header, transactions } = recorded(meta);
      assert.ok(transactions.length > 200);
      assert.ok(isWhole(header, transactions));
      assert.ok(!isWhole(header, transactions.toSpliced(100, 1)));
      for (const transaction of transactions) {
        assert.ok(isSound(PUBLIC, transaction), transaction.hash);
        const applied = appliedTransaction(PUBLIC, transaction);
        assert(!('unusable' in applied), transaction.hash);
        const { hash, source_account, fee_account } = applied;
        assert.equal(hash, transaction.hash);
        assert.deepEqual(sourcesOf(transaction.envelope_xdr), { source_account, fee_account });
      }
    }
  });
}

function recorded(meta: xdr.LedgerCloseMetaWire) {
  assert(meta.v !== 0);
  const { header } = (meta.v === 1 ? meta.v1 : meta.v2).ledgerHeader;
  const encoded = envelopesOf(meta).map((one) =>
    Buffer.from(xdr.TransactionEnvelope.schema.encode(one)).toString('base64'),
  );
  const byHash = new Map(
    encoded.map((one) => [envelopeHashes(PUBLIC, xdr.TransactionEnvelope.fromXdr(one, 'base64')).hash, one]),
  );
  const transactions = processingOf(meta).map(({ result }): NamedTransaction => {
    const hash = Buffer.from(result.transactionHash).toString('hex');
    const result_xdr = Buffer.from(xdr.TransactionResult.schema.encode(result.result)).toString('base64');
    return { ledger: header.ledgerSeq, hash, envelope_xdr: byHash.get(hash) ?? '', result_xdr };
  });
  const result_set_hash = Buffer.from(header.txSetResultHash);
  const position = { sequence: header.ledgerSeq, close_time: 1n, base_reserve_stroops: 5_000_000n };
  return { header: { ...position, result_set_hash }, transactions };
}
