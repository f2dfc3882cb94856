/** Which tests a run of `.ci/run` has, and that none is left out for ever. */
import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { lineOf, type PassedRun, parsePassedRuns } from '../../scripts/ci/passed-runs.ts';
import { planRun, shareOf, sharesInTime } from '../../scripts/ci/plan.ts';
import { testFiles } from '../files.ts';
import { partsOf, SHARES } from '../long/parts.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const commits = Array.from({ length: 600 }, (_, index) =>
  createHash('sha1').update(`${index}`).digest('hex'),
);
const FEW = { everything: null, files: ['src/lib/clock.test.ts'] };
const ALL_SHARES: PassedRun = { commit: 'all shares', shares: [...SHARES], short: 'all' };
const NO_CHANGE = () => null;
const PARTS = partsOf('1');

test('a change of the engine runs all short forms and all shares, another one the share of its commit', () => {
  const [commit = ''] = commits;
  const runs = [ALL_SHARES];
  const engine = 'src/withdrawals/engine/outcome.ts';
  const whole = planRun(commit, { everything: engine, files: [] }, runs, () => engine);
  assert.equal(whole.everything, engine);
  assert.deepEqual([...whole.shares.keys()], [...SHARES]);
  const part = planRun(commit, FEW, runs, NO_CHANGE);
  assert.deepEqual([part.everything, part.files], [null, FEW.files]);
  assert.deepEqual([...part.shares.keys()], [shareOf(commit)]);
  const support = planRun(commit, { everything: 'test/support/service.ts', files: [] }, runs, NO_CHANGE);
  assert.equal(support.everything, 'test/support/service.ts');
  assert.deepEqual([...support.shares.keys()], [shareOf(commit)]);
});

test('a change of the engine asks for a share until a run has had the share', () => {
  const [commit = '', later = ''] = commits;
  const own = shareOf(commit);
  const others = SHARES.filter((share) => share !== own);
  const [first] = others;
  // The engine changed after the run of all shares. The run after the change was slow: it began one share more than its own.
  const slow: PassedRun = {
    commit,
    shares: SHARES.filter((share) => share === own || share === first),
    short: 'all',
  };
  const changed = (since: string) => (since === ALL_SHARES.commit ? 'the engine' : null);
  const { shares } = planRun(later, FEW, [ALL_SHARES, slow], changed);
  const wanted = SHARES.filter((share) => share === shareOf(later) || !slow.shares.includes(share));
  assert.deepEqual([...shares.keys()], wanted);
});

test('a slow run leaves the shares of the engine to the next one, then its own share, and never one that waited for nine runs', () => {
  const [commit = ''] = commits;
  const own = shareOf(commit);
  const waiting = SHARES.find((share) => share !== own);
  const runs: PassedRun[] = Array.from({ length: 9 }, () => ({
    ...ALL_SHARES,
    shares: SHARES.filter((share) => share !== waiting),
  }));
  const plan = planRun(commit, FEW, [ALL_SHARES, ...runs], () => 'the engine');
  const begun = (minutes: number) => sharesInTime(plan, minutes).begun;
  assert.deepEqual(begun(35), [...SHARES]);
  assert.deepEqual(
    begun(36),
    SHARES.filter((share) => share === own || share === waiting),
  );
  assert.deepEqual(begun(51), [waiting]);
  assert.deepEqual(
    sharesInTime(plan, 51).left,
    SHARES.filter((share) => share !== waiting),
  );
});

test('each share is drawn about equally often', () => {
  for (const share of SHARES) {
    const count = commits.filter((commit) => shareOf(commit) === share).length;
    assert.ok(count > 70 && count < 130, `share ${share}: ${count} of ${commits.length}`);
  }
});

test('no share, and no short form, is left out of ten runs in a row, whatever is drawn', () => {
  const runs = [ALL_SHARES];
  for (const commit of commits) {
    const { everything, shares } = planRun(commit, FEW, runs, NO_CHANGE);
    runs.push({ commit, shares: [...shares.keys()], short: everything ? 'all' : 'selected' });
  }
  for (let first = 0; first + 10 <= runs.length; first++) {
    const ten = runs.slice(first, first + 10);
    assert.ok(
      ten.some(({ short }) => short === 'all'),
      `short forms, runs ${first} to ${first + 9}`,
    );
    for (const share of SHARES)
      assert.ok(
        ten.some(({ shares }) => shares.includes(share)),
        `share ${share}, from run ${first} on`,
      );
  }
  assert.equal(runs.filter(({ short }) => short === 'all').length, 1 + commits.length / 10);
});

test('every part has a share, and every share a part', () => {
  assert.deepEqual([...new Set(PARTS.map(({ share }) => share))].sort(), [...SHARES]);
  for (const { name, files } of PARTS) assert.notDeepEqual(files, [], `${name} has no test file`);
});

test('every test file that has a long form is in a part', () => {
  const parts = PARTS.flatMap(({ files }) => files ?? []);
  const short = testFiles({});
  for (const file of testFiles({ long: true })) {
    const hasLongForm = /support\/(form|old-postgres)[.]ts'/.test(readFileSync(join(ROOT, file), 'utf8'));
    const isLeftOut = !short.includes(file);
    if (hasLongForm || isLeftOut) assert.ok(parts.includes(file), file);
  }
});

test('the runs in .ci/shares are read as they were written, and any other line is refused', () => {
  const runs: PassedRun[] = [
    { commit: commits[0] ?? '', shares: [], short: 'selected' },
    { commit: commits[1] ?? '', shares: [2], short: 'selected' },
    { commit: commits[2] ?? '', shares: [...SHARES], short: 'all' },
  ];
  assert.deepEqual(parsePassedRuns(`# a comment\n${runs.map(lineOf).join('\n')}\n`), runs);
  for (const line of ['1234 1 all', `${commits[0]} 7 all`, `${commits[0]} 1 some`, `${commits[0]} 1,2`])
    assert.throws(() => parsePassedRuns(line), /Not the line of a run/, line);
  parsePassedRuns(readFileSync(join(ROOT, '.ci/shares'), 'utf8'));
});
