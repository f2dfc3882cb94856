import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { SubmitHint } from '../../stellar/stellar.ts';
import { countLedger, isDue, nextBid, type Sending } from './resend.ts';

const hint = (
  answer: SubmitHint['answer'],
  code: string | null = null,
  fee_needed_stroops: bigint | null = null,
) => ({
  answer,
  code,
  fee_needed_stroops,
});
const sent = (over: Partial<Sending> = {}): Sending => ({
  at_ledger: 100,
  times: 1,
  hint: hint('pending'),
  waited_ledgers: 0,
  fee_bid_stroops: 200n,
  is_fee_bump: true,
  resource_fee_stroops: 0n,
  operations: 1n,
  ...over,
});
const network = { fee_rate_stroops: 100n, fee_max_stroops: 100_000n };

test('nothing is sent again while the answer to the last time is outstanding', () => {
  assert.equal(isDue(sent({ hint: null }), 1_000), false);
});

test('what waits in the queue is left there for three ledgers', () => {
  for (const answer of ['pending', 'duplicate'] as const) {
    const waiting = sent({ hint: hint(answer) });
    const due = [1, 2, 3].map(() => {
      countLedger([waiting])();
      return isDue(waiting, 1_000);
    });
    assert.deepEqual(due, [false, false, true], answer);
  }
});

test('a ledger that was being read when the node had it does not count: it may have closed before', () => {
  const waiting = sent({ hint: null });
  const closed = countLedger([waiting]);
  waiting.hint = hint('pending');
  closed();
  assert.equal(waiting.waited_ledgers, 0);
  countLedger([waiting])();
  assert.equal(waiting.waited_ledgers, 1);
});

test('what was not taken goes out again with the next ledger, and ever more rarely', () => {
  for (const answer of ['no_answer', 'refused', 'try_again_later'] as const) {
    const waits = [1, 2, 3, 4, 5, 6].map((times) => {
      for (let waited = 0; ; waited++)
        if (isDue(sent({ times, hint: hint(answer) }), 100 + waited)) return waited;
    });
    assert.deepEqual(waits, [1, 2, 4, 8, 8, 8], answer);
  }
});

test('what waited too long in the queue bids ten times as much: less could not replace it', () => {
  assert.equal(nextBid(sent(), network), 2_000n);
  assert.equal(nextBid(sent({ fee_bid_stroops: 100n, is_fee_bump: false }), network), 2_000n);
});

test('what was refused for its fee bids what is needed, at once: the same envelope is banned', () => {
  const refused = (needed: bigint | null) => sent({ hint: hint('refused', 'tx_insufficient_fee', needed) });
  assert.equal(nextBid(refused(901n), network), 902n);
  assert.equal(nextBid(refused(201n), network), 250n, 'a quarter more than before at least');
  assert.equal(nextBid(refused(null), network), 250n);
});

test('a higher bid is at least the network’s, and no other answer makes one', () => {
  assert.equal(nextBid(sent(), { ...network, fee_rate_stroops: 3_000n }), 6_000n);
  for (const answer of ['no_answer', 'refused', 'try_again_later'] as const) {
    const again = sent({ times: 5, hint: hint(answer, 'tx_bad_seq') });
    assert.equal(nextBid(again, { ...network, fee_rate_stroops: 3_000n }), null);
  }
});

test('no bid is above the ceiling, whatever a node asks', () => {
  const refused = hint('refused', 'tx_insufficient_fee', 10n ** 15n);
  assert.equal(nextBid(sent({ hint: refused }), network), 100_000n);
  assert.equal(nextBid(sent({ fee_bid_stroops: 100_000n }), network), null, 'at the ceiling it stays');
});

test('a contract transfer bids for its place only: its resource fee stays, and counts within the limit', () => {
  const contract = { fee_bid_stroops: 50_200n, resource_fee_stroops: 50_000n };
  assert.equal(nextBid(sent(contract), network), 52_000n, 'ten times 200');
  assert.equal(nextBid(sent(contract), { ...network, fee_max_stroops: 50_900n }), 50_900n);
  assert.equal(nextBid(sent(contract), { ...network, fee_max_stroops: 50_200n }), null);
  const needed = hint('refused', 'tx_insufficient_fee', 50_500n);
  assert.equal(nextBid(sent({ ...contract, hint: needed }), network), 50_500n);
  const own = { fee_bid_stroops: 50_100n, resource_fee_stroops: 50_000n, is_fee_bump: false };
  assert.equal(nextBid(sent(own), network), 52_000n, 'a fee-bump counts two operations');
});

test('a sponsored trust line bids for its three operations and the fee-bump', () => {
  const waiting = { operations: 3n, fee_bid_stroops: 400n };
  assert.equal(nextBid(sent(waiting), network), 4_000n);
  assert.equal(nextBid(sent({ ...waiting, fee_bid_stroops: 300n, is_fee_bump: false }), network), 4_000n);
  const refused = hint('refused', 'tx_insufficient_fee', 600n);
  assert.equal(nextBid(sent({ ...waiting, hint: refused }), network), 600n);
});
