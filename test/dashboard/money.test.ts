import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { apiWords } from '../../dashboard/src/parts/api-words.ts';
import { formatUnits, parseUnits, plainUnits } from '../../dashboard/src/parts/money.ts';

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

  it('is what is typed to get it', () => {
    for (const stroops of [1n, 10n, 120_000_000n, 100_884_196_726n, INT64_MAX])
      assert.deepEqual(parseUnits(plainUnits(stroops)), { stroops });
  });
});

describe('A message of the API', () => {
  it('is told in XLM', () => {
    assert.equal(apiWords('at most 10000000 stroops, not 1 stroops'), 'at most 1 XLM, not 0.0000001 XLM');
  });

  it('tells times by the clock of the reader', () => {
    const told = apiWords('possible from 2026-01-02T00:00:00.000Z on');
    assert.match(told, /^possible from .* on$/);
    assert.doesNotMatch(told, /T00:00/);
  });
});
