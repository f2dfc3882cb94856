import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readableMessage } from '../../dashboard/src/text/api-message.ts';
import {
  editableUnits,
  formatStroops,
  formatUnits,
  parseUnits,
  plainUnits,
} from '../../dashboard/src/text/money.ts';

const INT64_MAX = 9_223_372_036_854_775_807n;

describe('An amount that is shown', () => {
  it('is exact to the stroop, however large', () => {
    assert.equal(formatUnits(INT64_MAX, 'en'), '922,337,203,685.4775807');
    assert.equal(formatUnits(1n, 'en'), '0.0000001');
    assert.equal(formatUnits(-INT64_MAX, 'en'), '−922,337,203,685.4775807');
    assert.equal(formatUnits(120_000_000n, 'en'), '12');
  });

  it('has the separators of the reader', () => {
    assert.equal(formatUnits(100_884_196_726n, 'de'), '10.088,4196726');
    assert.equal(formatUnits(1_234_567_0000001n, 'en-IN'), '12,34,567.0000001');
  });

  it('is written in the same digits in every language, before and after its point', () => {
    for (const locale of ['ar-EG', 'fa', 'mr', 'bn', 'my', 'ne'])
      assert.match(formatUnits(100_884_196_726n, locale), /^10\D088\D4196726$/, locale);
  });

  it('has the singular of stroop for one', () => {
    const told = [1n, -1n, 0n, 2n].map(formatStroops);
    assert.deepEqual(told, ['1 stroop', '-1 stroop', '0 stroops', '2 stroops']);
  });

  it('can be typed as it is shown', () => {
    for (const stroops of [1n, 10n, 120_000_000n, 100_884_196_726n, INT64_MAX])
      assert.deepEqual(parseUnits(plainUnits(stroops)), { stroops });
  });
});

describe('An amount that is typed', () => {
  const POINT_GROUPS = ['de', 'it', 'es', 'pt', 'nl', 'id', 'tr', 'da'];

  it('is refused where it could mean a thousand times as much: languages that write 1000 as 1.000', () => {
    for (const locale of POINT_GROUPS) {
      const refused = (typed: string, other_ways: string) =>
        assert.deepEqual(
          parseUnits(typed, locale),
          { problem: `is ambiguous: write ${other_ways}` },
          `${typed} in ${locale}`,
        );
      refused('1.000', '1000 or 1.0000');
      refused(' 12.345 ', '12345 or 12.3450');
      refused('999.999', '999999 or 999.9990');
    }
  });

  it('is accepted there in both suggested forms, and whenever it is unambiguous', () => {
    for (const [typed, stroops] of [
      ['0.125', 1_250_000n],
      ['1000', 10_000_000_000n],
      ['1.0000', 10_000_000n],
      ['1.00', 10_000_000n],
      ['1.', 10_000_000n],
      ['12.5', 125_000_000n],
      ['1000.000', 10_000_000_000n],
      ['1.0005', 10_005_000n],
    ] as const)
      assert.deepEqual(parseUnits(typed, 'de'), { stroops }, typed);
  });

  it('is accepted where a point has one meaning', () => {
    for (const locale of ['en', 'fr', 'de-CH', 'pt-PT', 'es-MX', 'ar-EG'])
      assert.deepEqual(parseUnits('1.000', locale), { stroops: 10_000_000n }, locale);
  });

  it('is never ambiguous if the field was filled in by the dashboard', () => {
    for (const stroops of [
      1n,
      10_000n,
      12_340_000n,
      125_000_000n,
      10_000_000_000n,
      9_999_990_000n,
      INT64_MAX,
    ])
      for (const locale of ['en', ...POINT_GROUPS]) {
        const text = editableUnits(stroops, locale);
        assert.deepEqual(parseUnits(text, locale), { stroops }, `${text} in ${locale}`);
      }
    assert.equal(editableUnits(12_340_000n, 'de'), '1.2340');
    assert.equal(editableUnits(12_340_000n, 'en'), '1.234');
  });
});

describe('A message of the API', () => {
  it('has XLM in place of stroops', () => {
    assert.equal(
      readableMessage('at most 10000000 stroops, not 1 stroop'),
      'at most 1 XLM, not 0.0000001 XLM',
    );
  });

  it('has times in the reader’s time zone', () => {
    const told = readableMessage('possible from 2026-01-02T00:00:00.000Z on');
    assert.match(told, /^possible from .* on$/);
    assert.doesNotMatch(told, /T00:00/);
  });
});
