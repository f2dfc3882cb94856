/** A test that is left out must not be one that a change can break. */
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { describeSelection } from '../../scripts/affected/describe.ts';
import { readModules } from '../../scripts/affected/modules.ts';
import {
  engineFileOf,
  isTest,
  type Modules,
  NAME_FILES,
  reachedByTests,
  selectTests,
  whyEverything,
} from '../../scripts/affected/selection.ts';
import { rotatingOf } from '../files.ts';

const ROOT = join(import.meta.dirname, '..', '..');

let modules: Modules;
before(async () => {
  modules = await readModules();
});

const selectedFor = (...changed: string[]) => {
  const { everything, files } = selectTests(modules, changed);
  assert.equal(everything, null);
  return files;
};

for (const changed of [
  'package-lock.json',
  'sandbox/package.json',
  'tsconfig.json',
  '.npmrc',
  'bin/teller.js',
  'migrations/0001_init.sql',
  'test/support/service.ts',
  'test/run.ts',
  'test/files.ts',
  '.ci/run',
  'scripts/affected.ts',
  'scripts/affected/readers.ts',
  '.dependency-cruiser.cjs',
  'a-new-folder/a-file.bin',
  'src/a-template.html',
])
  test(`everything runs after a change of ${changed}`, () => {
    const all = ['docs/glossary.md', changed];
    assert.ok(selectTests(modules, all).everything?.includes(changed));
    assert.equal(engineFileOf(all), null);
  });

for (const changed of [
  'src/withdrawals/engine/outcome.ts',
  'src/ledgers/withdrawal-cursor.ts',
  'src/vault/vault.ts',
  'src/stellar/ledgers/ledger-proof.ts',
  'src/stellar/transactions/build-payment.ts',
  'src/stellar/credits/credits.ts',
  'src/stellar/protocol/missing-arms.ts',
  'src/db/connections.ts',
])
  test(`everything runs after a change of ${changed}, which is the engine`, () => {
    const all = ['docs/glossary.md', changed];
    assert.ok(selectTests(modules, all).everything?.includes(changed));
    assert.equal(engineFileOf(all), changed);
  });

const WITHDRAW = 'test/spec/withdraw.test.ts';
const CLOCK = 'src/lib/clock.test.ts';
const KILLS = 'test/crash/kill-at-random.test.ts';
const DOCUMENTS = 'test/documents.test.ts';

/** A changed file, tests that must run, and tests that need not. */
const CASES: [changed: string, run: string[], left_out: string[]][] = [
  ['docs/glossary.md', [DOCUMENTS], [WITHDRAW, CLOCK, 'test/spec/guides.test.ts']],
  [
    'docs/guides/1-first-deposit.md',
    [DOCUMENTS, 'test/spec/guides.test.ts', 'src/api/openapi-document.test.ts'],
    [CLOCK],
  ],
  [
    'docs/openapi.json',
    ['test/spec/operations.test.ts', 'src/api/openapi-document.test.ts', WITHDRAW],
    [CLOCK],
  ],
  ['docs/metrics.md', [DOCUMENTS, 'test/prometheus.test.ts'], [WITHDRAW, CLOCK]],
  [
    'README.md',
    [DOCUMENTS, 'src/api/readme.test.ts', 'test/packages/npm-package.test.ts'],
    [WITHDRAW, CLOCK],
  ],
  ['src/withdrawals/engine/README.md', ['src/withdrawals/engine/readme.test.ts'], [WITHDRAW, CLOCK]],
  [
    'dashboard/src/text/money.ts',
    ['test/dashboard/money.test.ts', 'test/browser/story.test.ts', 'test/packages/npm-package.test.ts'],
    [KILLS, WITHDRAW, CLOCK],
  ],
  ['dashboard/src/shell/shell.css', ['test/browser/pages.test.ts'], [WITHDRAW, CLOCK]],
  ['packaging/prometheus/rules.yaml', ['test/prometheus.test.ts'], [WITHDRAW, CLOCK]],
  ['packaging/helm/stellar-teller/values.yaml', ['test/packages/chart.test.ts'], [WITHDRAW, CLOCK]],
  [
    'clients/cases/errors.json',
    ['test/clients/tables.test.ts', 'test/clients/runtimes.test.ts'],
    [WITHDRAW, CLOCK],
  ],
  ['clients/python/src/stellar_teller/client.py', ['test/clients/runtimes.test.ts'], [WITHDRAW, CLOCK]],
  [
    'clients/typescript/src/index.ts',
    ['test/clients/runtimes.test.ts', 'test/clients/client.test.ts'],
    [WITHDRAW],
  ],
  [
    'examples/receiver.mjs',
    [
      'test/spec/events.test.ts',
      'test/spec/receiver-exam.test.ts',
      'test/browser/exam.test.ts',
      'test/clients/example-receivers.test.ts',
    ],
    [WITHDRAW, CLOCK],
  ],
  ['test/clients/run.ts', ['test/clients/runtimes.test.ts'], ['test/clients/client.test.ts']],
  ['test/browser/tab.ts', ['test/browser/tabs.test.ts'], [WITHDRAW, 'test/dashboard/money.test.ts']],
  [
    'sandbox/queue.ts',
    ['sandbox/queue.test.ts', 'sandbox/replay/replay.test.ts', 'sandbox/main.test.ts', WITHDRAW],
    [KILLS, CLOCK, DOCUMENTS, 'test/dashboard/money.test.ts'],
  ],
  ['sandbox/page/page.css', ['sandbox/explorer/explorer.test.ts'], [CLOCK, WITHDRAW]],
  ['sandbox/replay/replay.ts', ['sandbox/replay/replay.test.ts'], [WITHDRAW, CLOCK]],
  [
    'sandbox/testing/recordings/protocol-30/muxed-contracts.json',
    [
      'sandbox/ledger/muxed-contract.test.ts',
      'test/dashboard/strkey.test.ts',
      'src/stellar/contract-address.test.ts',
    ],
    [CLOCK, DOCUMENTS],
  ],
  [
    'src/webhooks/delivery/deliverer.ts',
    [
      'test/spec/webhook-delivery.test.ts',
      'test/crash/kill-at-deposit-and-webhook.test.ts',
      'test/sim/simulation.test.ts',
      'test/chaos/webhooks/webhooks.test.ts',
      'src/db/table-access.test.ts',
      'src/withdrawals/engine/states.test.ts',
    ],
    [KILLS, CLOCK, DOCUMENTS, 'sandbox/queue.test.ts', 'src/wallets/search.test.ts'],
  ],
  // Rotating files run after a change of what they are about.
  [
    'src/withdrawals/payouts/claim-rows.ts',
    [KILLS, 'test/crash/kill-at-each-payout-step.test.ts', 'test/spec/stall.test.ts'],
    ['src/cli/upgrade-database.test.ts', CLOCK],
  ],
  ['src/embedded-postgres/upgrade.ts', ['src/cli/upgrade-database.test.ts'], [KILLS, CLOCK]],
  ['test/oracle/audit.ts', [KILLS, 'test/chaos/chaos.test.ts'], [WITHDRAW, CLOCK]],
  // The launcher starts it by its name.
  [
    'src/cli/serve.ts',
    [WITHDRAW, 'test/operators/backup.test.ts'],
    [KILLS, CLOCK, 'test/sim/simulation.test.ts'],
  ],
  // A command of its own process, a script that a test writes, a module that is read as text.
  ['sandbox/main.ts', ['sandbox/main.test.ts'], [CLOCK]],
  ['bench/catch-up-made.ts', ['test/bench/made-ledgers.test.ts'], [CLOCK, WITHDRAW]],
  [
    'scripts/build.ts',
    ['test/packages/npm-package.test.ts', 'test/packages/container.test.ts'],
    [CLOCK, WITHDRAW],
  ],
  ['src/config.ts', [DOCUMENTS, WITHDRAW], [CLOCK]],
  ['src/lib/clock.ts', [CLOCK, WITHDRAW], ['test/dashboard/money.test.ts', 'sandbox/queue.test.ts']],
  [WITHDRAW, [WITHDRAW], ['test/spec/wallets.test.ts']],
  // What imported it has changed as well.
  ['src/lib/gone.ts', ['src/db/table-access.test.ts'], [CLOCK, WITHDRAW]],
  ['.ci/proven', [], [CLOCK, WITHDRAW, DOCUMENTS]],
];

for (const [changed, run, left_out] of CASES)
  test(`after a change of ${changed} its tests run, and others do not`, () => {
    const files = selectedFor(changed);
    for (const file of [...run, ...left_out]) assert.ok(modules.has(file), `there is no ${file}`);
    for (const file of run) assert.ok(files.has(file), `${file} is left out`);
    for (const file of left_out) assert.ok(!files.has(file), `${file} runs`);
  });

test('a changed module selects every test that imports it, over any number of others, and does not rotate', () => {
  const importers = [...modules].filter(([, { imports }]) => imports.includes('src/lib/clock.ts'));
  const files = selectedFor('src/lib/clock.ts');
  for (const [file] of importers) if (isTest(file) && !rotatingOf(file)) assert.ok(files.has(file), file);
});

test('two changes select what each of them selects', () => {
  const both = selectedFor('docs/glossary.md', 'sandbox/replay/replay.ts');
  for (const changed of ['docs/glossary.md', 'sandbox/replay/replay.ts'])
    for (const [file] of selectedFor(changed)) assert.ok(both.has(file), file);
});

test('every module of the service and the network that runs is reached by a test', () => {
  const reached = new Set([...reachedByTests(modules).values()].flatMap((closure) => [...closure]));
  const code = (text: string) =>
    stripTypeScriptTypes(text).replace(/\/\*[\s\S]*?\*\/|\/\/.*|export \{\}|\s|;/g, '');
  const unreached = [...modules].filter(
    ([file, { text }]) =>
      /^(src|sandbox)\/.*(?<![.]d)[.]ts$/.test(file) && !reached.has(file) && code(text) !== '',
  );
  // A process of a native library: src/vault/providers/ is the engine.
  assert.deepEqual(
    unreached.map(([file]) => file),
    ['src/vault/providers/pkcs11-module.ts', 'src/vault/providers/pkcs11-process.ts'],
  );
});

const listed = spawnSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' });
const tracked = (listed.stdout ?? '').split('\n').filter((file) => file && existsSync(join(ROOT, file)));

test('of every file of the checkout it is written down which tests read it', () => {
  const unknown = tracked.filter((file) => whyEverything([file])?.startsWith('Nobody'));
  assert.deepEqual(unknown, []);
});

test('every module of the checkout is among the modules', () => {
  const files = tracked.filter((file) =>
    /^(src|sandbox|test|scripts|bench|bin|dashboard\/src)\/.*[.]([cm]?[jt]s|tsx)$/.test(file),
  );
  assert.deepEqual(
    files.filter((file) => !modules.has(file)),
    [],
  );
});

/** How tests name what they read, and a file of it. */
const NAMED: [named: RegExp, changed: string][] = [
  [/recordings/, 'sandbox/testing/recordings/protocol-30/ledgers.json'],
  [/'docs', 'openapi/, 'docs/openapi.json'],
  [/'docs', 'guides'/, 'docs/guides/1-first-deposit.md'],
  [/\('docs\/(metrics|runbook)/, 'docs/metrics.md'],
  [/'packaging'|\('packaging/, 'packaging/prometheus/rules.yaml'],
  [/'examples\/|'[.][.]', 'examples'/, 'examples/receiver.mjs'],
  [/'[.][.]', 'clients'/, 'clients/cases/errors.json'],
  [/'[.][.]', 'README[.]md'|read\('README/, 'README.md'],
  [/DASHBOARD_DIR/, 'dashboard/src/shell/shell.css'],
  [/cwd: SRC|'src\/\*\*/, 'src/lib/clock.ts'],
];

for (const [named, changed] of NAMED)
  test(`tests that have ${named} in their text run after a change of ${changed}`, () => {
    const namers = [...modules].filter(
      ([file, { text }]) =>
        NAME_FILES.test(file) && !/^(scripts|test\/scripts)\//.test(file) && named.test(text),
    );
    assert.ok(namers.length > 0);
    const files = selectedFor(changed);
    for (const [test, closure] of reachedByTests(modules))
      for (const [namer] of namers)
        assert.ok(!closure.has(namer) || files.has(test) || rotatingOf(test), `${test} is left out`);
  });

test('a description says how many files run and are left out, and why', () => {
  const reasons = new Map([
    [DOCUMENTS, 'README.md'],
    ['src/api/readme.test.ts', 'README.md'],
  ]);
  const selection = { everything: null, files: [...reasons.keys()], reasons };
  const all = [DOCUMENTS, 'src/api/readme.test.ts', WITHDRAW, 'test/spec/wallets.test.ts', CLOCK];
  const lines = describeSelection('5e1aacf6', selection, all, false);
  assert.match(
    lines.join('\n'),
    /^2 of 5 test files .*\n {2}README.md: 2\n3 are left out.*: test\/spec 2, src\/lib 1\.$/,
  );
  const whole = describeSelection('5e1aacf6', selection, all, true);
  assert.ok(whole.includes(`  ${DOCUMENTS}: README.md`) && whole.includes(`  ${WITHDRAW}`));
});

test('everything runs when git does not know the base', () => {
  const args = ['scripts/affected.ts', '--list', '--base', '0'.repeat(40)];
  const { stdout, status } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  assert.equal(status, 0);
  assert.match(stdout, /^All test files run\. There is no commit 0{40} here\.$/m);
});
