/** Payouts with the TypeScript client on the real service. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import {
  InvalidRequestError,
  NotKnownYetError,
  newIdempotencyKey,
  TellerClient,
} from '../../clients/typescript/src/index.ts';
import { startRunningService } from '../support/running-service.ts';

const world = await startRunningService();
after(() => world.stop());
const client = new TellerClient({ base_url: world.service.url, token: world.token });
const wallet = await world.newWallet();
const { account: destination } = await world.newWallet();

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    idempotency_key: newIdempotencyKey(),
    destination,
    amount_stroops: 1_000n + BigInt(index),
    memo_id: 18_446_744_073_709_551_000n + BigInt(index),
  }));

describe('a payout', () => {
  it('is previewed without a trace, made as a draft, started, and ends with a proven outcome for each row', async () => {
    const rows = rowsOf(5);
    const report = await client.payouts.preview(wallet.id, { name: 'May', rows });
    assert.equal(report.rows, 5);
    assert.equal(report.totals[0]?.amount_stroops, 5_010n);
    assert.deepEqual(await client.payouts.list(wallet.id).all(), []);

    const draft = await client.payouts.create(wallet.id, { name: 'May', rows, expected_count: 5 });
    assert.equal(draft.status, 'draft');
    await assert.rejects(
      client.payouts.untilEnded(wallet.id, draft.id, { deadline_ms: 100 }),
      NotKnownYetError,
    );
    await client.payouts.start(wallet.id, draft.id);
    const ended = await client.payouts.untilEnded(wallet.id, draft.id);
    assert.equal(ended.status, 'completed');
    assert.equal(ended.counts.confirmed, 5);
    const paid = await client.payouts.listRows(wallet.id, draft.id, { limit: 2 }).all();
    assert.deepEqual(paid.map(({ memo_id }) => memo_id).sort(), rows.map(({ memo_id }) => memo_id).sort());
    assert.ok(paid.every(({ status }) => status === 'confirmed'));
    const csv = await client.payouts.rowsCsv(wallet.id, draft.id, { status: 'confirmed' }).text();
    const keys = csv.split('\r\n').map((line) => line.split(',')[1]);
    assert.deepEqual(
      keys.slice(1, -1),
      rows.map(({ idempotency_key }) => idempotency_key),
    );
  });

  it('with wrong rows is refused whole, and the error has the report', async () => {
    const [row] = rowsOf(1);
    const rows = [{ ...row, destination: 'G' } as never, ...rowsOf(1)];
    await assert.rejects(client.payouts.create(wallet.id, { name: 'Wrong', rows }), (error) => {
      assert.ok(error instanceof InvalidRequestError);
      const { errors } = error.data as { errors: { row: number; field: string }[] };
      assert.deepEqual(
        errors.map(({ row: at, field }) => [at, field]),
        [[1, 'destination']],
      );
      return true;
    });
  });
});
