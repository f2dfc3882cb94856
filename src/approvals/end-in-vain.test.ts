import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { endInVain, type PageInVain } from './end-in-vain.ts';

test('requests that cannot be ended yet, more than one page of them, keep back none that comes after them', async () => {
  const waiting = new Set(Array.from({ length: 120 }, (_, index) => String(index).padStart(3, '0')));
  const list = async ({ after, limit }: PageInVain) =>
    [...waiting]
      .filter((id) => id > after)
      .slice(0, limit)
      .map((id) => ({ id }));
  await endInVain(list, async ({ id }) => {
    if (id >= '110') waiting.delete(id);
  });
  assert.equal(waiting.size, 110);
  assert.equal([...waiting].at(-1), '109');
});
