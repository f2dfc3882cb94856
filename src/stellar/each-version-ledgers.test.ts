/** The contract of `Stellar`, second part: ledgers in order, and submissions. See each-version.test.ts. */
import { strict as assert } from 'node:assert';
import { after } from 'node:test';
import { Keypair, type Transaction } from '@stellar/stellar-sdk';
import { envelopeOf, hashOf } from '../../sandbox/testing/faulty-sandbox.ts';
import { closeUntilAnswered, FRIENDBOT_STROOPS, signed } from '../../sandbox/testing/rpc-client.ts';
import { pay } from '../../sandbox/testing/test-network.ts';
import { startNetworkVersions } from '../../test/support/network-versions.ts';
import { creditsOf } from './credits/credits.ts';
import { readLedgerCloseMeta } from './ledgers/ledger-close-meta.ts';
import type { Anchor, Stellar, WholeLedgers } from './stellar.ts';

const network = await startNetworkVersions({ after });
const { rows: row, setFace, breakFace, close, sandbox, clock, history, passphrase } = network;
const { alice, bob } = network.world;

/** Each ledger after this one, however many requests that takes. */
async function readAll(stellar: Stellar, after_ledger: number, anchor: Anchor | null) {
  const reads: WholeLedgers[] = [];
  let [at, known] = [after_ledger, anchor];
  for (;;) {
    const range = await stellar.readLedgersAfter(at, known);
    if (range.read === 'nothing_new') return reads;
    assert(range.read === 'ledgers', range.read);
    reads.push(range);
    at = range.through_ledger;
    known = { ledger: at, hash: range.through_hash };
  }
}

row('ledgers are read whole, in order, as one chain, to the newest one', async ({ stellar }) => {
  const newest = close();
  const reads = await readAll(stellar, 1, null);
  const { ledgers } = await network.raw('getLedgers', { startLedger: 2, pagination: { limit: 200 } });
  const wholes = (ledgers as { sequence: number; metadataXdr: string }[]).map(({ sequence, metadataXdr }) =>
    readLedgerCloseMeta({ method: '', passphrase, sequence }, Buffer.from(metadataXdr, 'base64')),
  );
  const transactions = reads.flatMap((read) => read.transactions);
  assert.deepEqual(
    transactions,
    wholes.flatMap((ledger) => ledger.transactions),
  );
  assert.deepEqual(
    reads.flatMap((read) => read.hashes.slice(1)),
    wholes.map(({ header }) => header.hash),
  );
  assert.deepEqual(
    reads.flatMap((read) => read.close_times),
    wholes.map(({ header }) => header.close_time),
  );
  assert.partialDeepStrictEqual(reads.at(-1), {
    through_ledger: newest.sequence,
    through_hash: newest.hash,
    through_close_time: newest.close_time,
    newest_ledger: newest.sequence,
    newest_close_time: newest.close_time,
  });
  const creditsToBob = (of: string) =>
    transactions
      .filter(({ hash }) => hash === of)
      .flatMap((transaction) => creditsOf(passphrase, transaction))
      .filter(({ account }) => account === bob.publicKey());
  const amounts = Object.values(history).map(({ hash }) =>
    creditsToBob(hash).map((each) => each.amount_stroops),
  );
  assert.deepEqual(amounts, [[5n], [], [7n], []]);
});

row('a reader at the newest ledger gets no ledger, and then the next one', async ({ stellar }) => {
  const newest = close();
  const anchor = { ledger: newest.sequence, hash: newest.hash };
  assert.deepEqual(await stellar.readLedgersAfter(newest.sequence, anchor), { read: 'nothing_new' });
  const next = close();
  assert.partialDeepStrictEqual(await stellar.readLedgersAfter(newest.sequence, anchor), {
    read: 'ledgers',
    hashes: [newest.hash, next.hash],
    through_ledger: next.sequence,
  });
});

row('a history that begins later is a gap, told with its first ledger', async ({ stellar, face }) => {
  const newest = close();
  setFace(face, { oldest_ledger: newest.sequence });
  const gap = { read: 'gap', oldest_ledger: newest.sequence } as const;
  assert.deepEqual(await stellar.readLedgersAfter(newest.sequence - 2, null), gap);
  assert.partialDeepStrictEqual(await stellar.readLedgersAfter(newest.sequence - 1, null), {
    read: 'ledgers',
    through_ledger: newest.sequence,
  });
});

row('a network far below the last ledger that was read was reset', async ({ stellar }) => {
  const { sequence } = close();
  assert.deepEqual(await stellar.readLedgersAfter(sequence + 100, null), { read: 'nothing_new' });
  assert.deepEqual(await stellar.readLedgersAfter(sequence + 101, null), {
    read: 'reset',
    latest_ledger: sequence,
  });
});

row('a network without new ledgers for long is read as before', async ({ stellar }) => {
  const newest = close();
  await clock.advance(3_600_000);
  assert.partialDeepStrictEqual(await stellar.latestLedger(), newest);
  assert.deepEqual(await stellar.readLedgersAfter(newest.sequence, null), { read: 'nothing_new' });
  assert.partialDeepStrictEqual(await stellar.readLedgersAfter(newest.sequence - 1, null), {
    read: 'ledgers',
    through_ledger: newest.sequence,
    newest_close_time: newest.close_time,
  });
  const [report] = await stellar.sources();
  assert(report?.usable);
  assert.partialDeepStrictEqual(report.description.latest, newest);
});

const PENDING = { answer: 'pending', code: null, fee_needed_stroops: null } as const;
const ON = { rpc: 'sendTransaction', horizon: 'horizon:submit_async' } as const;

/** Alice pays Bob. */
const payment = (fee = '100', amount_stroops = 1n): Promise<Transaction> =>
  signed(network.server, alice, [pay(bob, amount_stroops)], fee);

row(
  'a submission is pending, then a duplicate, then applied, and its sequence is used',
  async ({ stellar }) => {
    const transaction = await payment();
    const rival = await payment('100', 2n);
    const envelope = envelopeOf(transaction);
    assert.deepEqual(await stellar.submit(envelope), PENDING);
    assert.deepEqual(await stellar.submit(envelope), { ...PENDING, answer: 'duplicate' });
    assert.equal((await stellar.find(hashOf(transaction))).found, 'absent');
    const { sequence } = close();
    assert.partialDeepStrictEqual(await stellar.find(hashOf(transaction)), {
      found: 'applied',
      successful: true,
      ledger: sequence,
    });
    assert.deepEqual(await stellar.submit(envelope), { ...PENDING, answer: 'try_again_later' });
    const used = { ...PENDING, answer: 'refused', code: 'tx_bad_seq' };
    assert.deepEqual(await stellar.submit(envelopeOf(rival)), used);
  },
);

row('a fee that is too low is refused with the fee that is enough', async ({ stellar }) => {
  assert.deepEqual(await stellar.submit(envelopeOf(await payment('50'))), {
    answer: 'refused',
    code: 'tx_insufficient_fee',
    fee_needed_stroops: 100n,
  });
});

row(
  'a payment that fails is pending like any other, and its failure is in the ledger',
  async ({ stellar }) => {
    const transaction = await payment('100', 10n ** 16n);
    assert.deepEqual(await stellar.submit(envelopeOf(transaction)), PENDING);
    close();
    assert.partialDeepStrictEqual(await stellar.find(hashOf(transaction)), {
      found: 'applied',
      successful: false,
      failure_code: 'op_underfunded',
    });
  },
);

row('a node that is busy says so, and what it has taken all the same is found', async ({ stellar, face }) => {
  const transaction = await payment();
  breakFace(face, ON, { kind: 'try_again_later', taken: true });
  const { answer } = await stellar.submit(envelopeOf(transaction));
  assert.equal(answer, 'try_again_later');
  close();
  assert.partialDeepStrictEqual(await stellar.find(hashOf(transaction)), { found: 'applied' });
});

row('a submission whose answer is lost may be in the ledger: no answer refuses it', async (asking) => {
  const { stellar, face } = asking;
  for (const [fault, found] of [
    [{ kind: 'answer_lost' }, 'applied'],
    [{ kind: 'status', status: 503, effect: 'before' }, 'applied'],
    [{ kind: 'status', status: 503, effect: 'never' }, 'absent'],
  ] as const) {
    const transaction = await payment();
    breakFace(face, ON, fault);
    assert.equal((await stellar.submit(envelopeOf(transaction))).answer, 'no_answer');
    close();
    assert.equal((await stellar.find(hashOf(transaction))).found, found);
  }
});

row('friendbot funds an account on a test network', async ({ stellar }) => {
  const account = Keypair.random().publicKey();
  await closeUntilAnswered(sandbox, stellar.fund(account));
  close();
  const { accounts } = await stellar.readAccounts([account]);
  assert.equal(accounts.get(account)?.balance_stroops, FRIENDBOT_STROOPS);
});

row('a source of another network is asked nothing', async ({ stellar, face }) => {
  breakFace(face, { rpc: 'getNetwork', horizon: 'horizon:root' }, { kind: 'wrong_network', times: null });
  await assert.rejects(stellar.latestLedger(), /nothing was started/i);
  const { answer } = await stellar.submit(envelopeOf(await payment()));
  assert.equal(answer, 'no_answer');
  assert.equal((await stellar.find(history.paid.hash)).found, 'unknown');
});
