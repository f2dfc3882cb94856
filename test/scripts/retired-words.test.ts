import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { findRetiredWords, RETIRED } from '../../scripts/retired-words.ts';

const FILE = 'src/withdrawals/example.ts';

const found = (text: string, file = FILE) => findRetiredWords(file, text).map((finding) => finding.found);

/** One text for each retired word, by its name in the table. */
const REFUSED: Record<string, string[]> = {
  lane: ['a lane', 'Lanes', 'free_lanes', 'newLane', 'LANE'],
  stray: ['strays', 'isStray'],
  flight: ['flights', 'a flight', 'openFlights', 'Flight'],
  boarded: ['boarded'],
  landed: ['has landed'],
  'in the air': ['still in the air'],
  accounted: ['is accounted for', 'the accounting', 'accountFor(ledger)'],
  settle: ['settles it', 'await settle(id)', 'settling', 'announceSettled', 'settle_cursor'],
  Settler: ['type Settler', 'settler.ts', 'createSettler'],
  judge: ['judges', 'judgement', 'judgeResult'],
  'look-ahead': ['the look-ahead', 'lookAhead()', 'createLookAhead', 'Outlook'],
  trouble: ['trouble', 'laneTrouble'],
  intake: ['the intake'],
  'show.ts': ["from './show.ts'"],
  'dispatch.ts': ['dispatch.ts'],
  pace: ['createPace(clock)', 'lib/pace.ts'],
  'every()': ["from '../lib/every.ts'", 'every(clock, 60_000)'],
  'fair turns': ['fair-turns.ts', 'fair turns', 'fairTurns'],
  'next turn': ['next-turn.ts', 'nextTurn()'],
  'window.ts': ['window.ts', 'createWindow()'],
  'follow()': ['follow(ledgers)', 'a follower', 'followLedgers'],
  poisoned: ['a poisoned transaction', 'poison'],
  first_sent_at: ['first_sent_at'],
  first_sent_ledger: ['first_sent_ledger'],
  chain: ['deps.chain', 'createChain', "from '../chain/x.ts'"],
  twin: ['--despite-twins', 'twins'],
  'held wallet': ['the wallet is held', 'held wallets'],
  hungry: ['hungry'],
  'words of the pages': [
    'a looser rule',
    'Stricter rules',
    'by the rule of now',
    'Made by Ada',
    "['Settled', at]",
  ],
  anew: ['is sealed anew', 'Anew'],
  meanwhile: ['that changed meanwhile', 'Meanwhile', 'changedMeanwhile'],
  'gives whether': ['Gives whether there is more', 'gives whether'],
  'is none': ['a text that is none', 'what are none of its rows'],
  'is told': ['a taken port is told', 'outcomes are also told once'],
  who: ['Whoever asks', 'It is sealed. Who opens it must ask.', 'keep the key; who loses it may pay twice'],
};

for (const { name, use, except } of RETIRED) {
  test(`"${name}" is refused in prose and in identifiers, with the word to use`, () => {
    const texts = REFUSED[name] ?? [];
    assert(texts.length > 0, 'this test has no example of it');
    const file = except?.files.test(FILE) ? 'dashboard/src/example.tsx' : FILE;
    for (const text of texts) {
      const findings = findRetiredWords(file, `const fine = 1;\n// ${text}\n`);
      const own = findings.filter((finding) => finding.use === use);
      assert(own.length > 0, `not found in ${JSON.stringify(text)}`);
      for (const finding of own) assert.deepEqual([finding.file, finding.line], [file, 2]);
    }
  });
}

test('words that are like a retired one, and are not retired, pass', () => {
  const fine = [
    'plane, explanation, miscellaneous, aeroplanes',
    'requests in flight, an in-flight submission, in_flight, withdrawals_in_flight, inFlight, MAX_IN_FLIGHT',
    'onboarded, the dashboard, islanded',
    'an account for each wallet; accounts for testing',
    'settled_at, the role settler, --role=settler, a settled withdrawal, allSettled, unsettled',
    'prejudged, judicious',
    'look ahead of it',
    'untroubled',
    'at its own pace, the namespace',
    'items.every(Boolean), every (single) one',
    'the fair queue turns',
    'in the next turn of the event loop',
    'window.scrollTo(0, 0), congestion-window.ts',
    'the steps that follow (see below), following',
    'a chain of ledger hashes, on-chain',
    'between, entwined',
    'the lock is held, the wallet is blocked',
    'a new key, treasury_pays_anew',
    'null when there is none, there are none, `display: none`',
    'the caller was told "pending", teller_deposit_told_seconds',
    'Who may approve what. Is it paid? Who pays the fee? A member who asks',
  ];
  for (const text of fine) assert.deepEqual(found(text), [], text);
});

test('each exception of the table passes in its files and nowhere else', () => {
  const examples: [text: string, excepted: string, other: string][] = [
    ['the lanes of surge pricing', 'sandbox/queue.ts', FILE],
    ['settle(holding)', 'sandbox/ledger/offer-crossing.ts', 'sandbox/friendbot.ts'],
    ['follow(state)', 'sandbox/replay/replay.ts', FILE],
    [': Chain', 'sandbox/testing/chains.ts', FILE],
    ['dispatch.ts', 'sandbox/README.md', 'ARCHITECTURE.md'],
    ['a looser rule', 'src/withdrawals/policies/policies.ts', 'dashboard/src/pages/policies/policies.tsx'],
  ];
  assert.equal(
    examples.length,
    RETIRED.filter(({ except }) => except).length,
    'one example for each exception',
  );
  for (const [text, excepted, other] of examples) {
    assert.deepEqual(found(text, excepted), []);
    assert.equal(found(text, other).length, 1, text);
  }
});

test('a file’s name is checked too', () => {
  const [finding] = findRetiredWords('src/withdrawals/lane-store.ts', '');
  assert.deepEqual([finding?.found, finding?.line], ['lane', 0]);
});

test('the glossary may list the retired words, and uses none of them elsewhere', () => {
  const glossary = '# Glossary\n\n## Retired words\n\n| lane | transaction source |\n';
  assert.deepEqual(found(glossary, 'docs/glossary.md'), []);
  assert.deepEqual(found(`A lane.\n${glossary}`, 'docs/glossary.md'), ['lane']);
  assert.deepEqual(found(`${glossary}\n## More\n\nA lane.\n`, 'docs/glossary.md'), ['lane']);
});
