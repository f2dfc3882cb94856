import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { combineShares, splitKey } from './key-shares.ts';

const key = randomBytes(32);

/** Every choice of `count` of these. */
function choices<T>(of: T[], count: number): T[][] {
  if (count === 0) return [[]];
  return of.flatMap((one, index) => choices(of.slice(index + 1), count - 1).map((rest) => [one, ...rest]));
}

test('any three of five shares give the key, in any order, and so do four and five', async () => {
  const shares = await splitKey(key, { shares: 5, threshold: 3 });
  assert.equal(shares.length, 5);
  for (const count of [3, 4, 5])
    for (const chosen of choices(shares, count)) assert((await combineShares(chosen.reverse())).equals(key));
});

test('two of three needed shares are refused with how many are needed', async () => {
  const shares = await splitKey(key, { shares: 5, threshold: 3 });
  for (const chosen of choices(shares, 2))
    await assert.rejects(combineShares(chosen), { message: '3 shares are needed, and 2 were given.' });
});

test('a share that was mistyped at any character, given twice or of another set is refused by its number', async () => {
  const [one, two, three] = (await splitKey(key, { shares: 3, threshold: 2 })) as [string, string, string];
  for (let at = 0; at < two.length - 1; at++) {
    const typed = two[at] === '7' ? '8' : '7';
    const mistyped = two.slice(0, at) + typed + two.slice(at + 1);
    await assert.rejects(
      combineShares([one, mistyped]),
      /is mistyped|is no share|do not belong together/,
      mistyped,
    );
  }
  await assert.rejects(combineShares([one, one]), /given twice/);
  const [other] = await splitKey(key, { shares: 3, threshold: 2 });
  await assert.rejects(
    combineShares([one, other as string]),
    /Share 1 is of the set .* do not belong together/,
  );
  await assert.rejects(combineShares([one, 'a letter']), /The text given as number 2 is no share/);
  await assert.rejects(combineShares([]), /No share was given/);
  assert((await combineShares([` ${one.replaceAll('\n', ' \r\n\n')}`, three])).equals(key));
});

test('numbers of shares that give no safety or cannot be are refused', async () => {
  for (const [shares, threshold] of [
    [3, 1],
    [2, 3],
    [256, 2],
    [0, 0],
    [Number.NaN, 2],
  ] as const)
    await assert.rejects(splitKey(key, { shares, threshold }), /At least 2 shares must be needed/);
});
