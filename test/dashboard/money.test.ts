import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readableMessage } from '../../dashboard/src/text/api-message.ts';
import {
  editableUnits,
  formatStroops,
  formatUnits,
  parseUnits,
  plainUnits,
} from '../../dashboard/src/text/money.ts';

const LOCALES = ['en', 'de', 'fr', 'ar-EG'];
const INT64_MAX = 9_223_372_036_854_775_807n;

describe('An amount that is shown', () => {
  it('is exact to the stroop, however large', () => {
    assert.equal(formatUnits(INT64_MAX), '922,337,203,685.4775807');
    assert.equal(formatUnits(1n), '0.0000001');
    assert.equal(formatUnits(-INT64_MAX), '−922,337,203,685.4775807');
    assert.equal(formatUnits(120_000_000n), '12');
    assert.equal(formatUnits(120_000_000n, 3), '12.000', 'as many decimals as its neighbours');
    assert.equal(formatUnits(-12_000_000_001n, 2), '−1,200.0000001');
  });

  it('is the same in every language of the machine, as English as the pages, and so are times', () => {
    for (const language of ['en_US', 'de_DE', 'en_IN', 'ar_EG', 'fa_IR', 'th_TH']) {
      const { given, shown } = shownIn(language);
      assert.equal(given, language.replace('_', '-'), 'the machine has the language');
      assert.deepEqual(
        shown,
        ['10,088.4196726', '12,345,678', '2 Jan 2026, 13:05', '2 Jan 2026, 13:05:09', 'at most 1,000 XLM'],
        language,
      );
    }
  });

  it('has the singular of stroop for one', () => {
    const told = [1n, -1n, 0n, 2n].map(formatStroops);
    assert.deepEqual(told, ['1 stroop', '-1 stroop', '0 stroops', '2 stroops']);
  });

  it('can be typed as it is shown', () => {
    for (const stroops of [1n, 10n, 120_000_000n, 100_884_196_726n, INT64_MAX])
      for (const locale of LOCALES) {
        assert.deepEqual(parseUnits(plainUnits(stroops), locale), { stroops }, locale);
        assert.deepEqual(parseUnits(formatUnits(stroops), locale), { stroops }, locale);
        assert.deepEqual(parseUnits(` ${formatUnits(stroops)} XLM `, locale), { stroops }, locale);
      }
  });
});

/** What a browser of that language shows: Node takes its language from the environment, once. */
function shownIn(language: string): { given: string; shown: string[] } {
  const text = join(import.meta.dirname, '../../dashboard/src/text');
  const script = `
    import { formatInteger, formatUnits } from '${text}/money.ts';
    import { formatDateTime } from '${text}/date-time.ts';
    import { readableMessage } from '${text}/api-message.ts';
    const at = '2026-01-02T13:05:09.000Z';
    const times = [formatDateTime(at), formatDateTime(at, true)];
    const shown = [formatUnits(100884196726n), formatInteger(12345678), ...times, readableMessage('at most 10000000000 stroops')];
    console.log(JSON.stringify({ given: new Intl.NumberFormat().resolvedOptions().locale, shown }));`;
  const env = { ...process.env, LC_ALL: `${language}.UTF-8`, TZ: 'UTC' };
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  return JSON.parse(run.stdout);
}

describe('An amount that is typed', () => {
  it('may have the commas that are shown, and is refused where one comma could be a decimal point', () => {
    for (const locale of LOCALES) {
      assert.deepEqual(parseUnits('1,234.5', locale), { stroops: 12_345_000_000n }, locale);
      assert.deepEqual(parseUnits('1,234,567', locale), { stroops: 12_345_670_000_000n }, locale);
      const refused = { problem: 'is ambiguous: write 1234 or 1.2340' };
      assert.deepEqual(parseUnits('1,234', locale), refused, locale);
      for (const typed of ['12,5', '0,123', '1.234,5', '12,34,567', '1,2345', ',123', '1234,567.8'])
        assert.ok('problem' in parseUnits(typed, locale), `${typed} in ${locale}`);
    }
  });

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
