import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flowScale } from '../../dashboard/src/pages/overview/flow-scale.ts';

test('the chart has lines at values that people read at once, zero among them, and room for every bar', () => {
  const cases: [deposits: number, withdrawals: number, lines: number[]][] = [
    [0, 0, [0, 1]],
    [10, 0, [0, 5, 10]],
    [0, 3, [-3, -2, -1, 0]],
    [130, 70, [-100, -50, 0, 50, 100, 150]],
    [1, 0.0000001, [-0.5, 0, 0.5, 1]],
    [922_337_203_685.4775, 0, [0, 500_000_000_000, 1_000_000_000_000]],
  ];
  for (const [deposits, withdrawals, lines] of cases)
    assert.deepEqual(flowScale(deposits, withdrawals).lines, lines, `${deposits}, ${withdrawals}`);
  for (let round = 1; round < 500; round++) {
    const [up, down] = [(round * 7919) / 1e3, (round * 104_729) / 10 ** (round % 12)];
    const { top, bottom, lines } = flowScale(up, down);
    assert.ok(top >= up && -bottom >= down, `${up}, ${down}`);
    assert.ok(lines.includes(0) && lines.length <= 7, `${up}, ${down}: ${lines}`);
  }
});
