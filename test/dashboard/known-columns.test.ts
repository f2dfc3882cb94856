import { strict as assert } from 'node:assert';
import { it } from 'node:test';
import { inOrderOf } from '../../dashboard/src/pages/payouts/known-columns.ts';

it('columns that were named before keep their meaning where the file has them in another order', () => {
  const known = [
    { name: 'Net', column: 'amount' as const },
    { name: 'Gross', column: null },
    { name: 'To', column: 'destination' as const },
  ];
  const file = [
    { name: 'Gross', column: null },
    { name: 'Net', column: null },
    { name: 'To', column: null },
    { name: 'Note', column: null },
  ];
  assert.deepEqual(
    inOrderOf(file, known).map(({ name, column }) => `${name}: ${column}`),
    ['Gross: null', 'Net: amount', 'To: destination', 'Note: null'],
  );
});
