/**
 * `npm run test:mutations [-- --seed X] [--count N] [--only PART-OF-A-PATH] [--selected-only]`: tries whether the selection of
 * tests by change leaves out a test that it needs. Takes random modules of the service and the network, lays a small fault
 * into each, in a copy of the checkout, and runs the tests that a change of the module selects, until one of them fails. Where
 * none fails the other tests run too: one that fails there was left out wrongly, and the trial fails. The same seed tries the
 * same faults again.
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { testFiles } from '../test/files.ts';
import { isQuick } from '../test/plan.ts';
import { type Random, seededRandom, seedOfRun } from '../test/support/random.ts';
import { readModules } from './affected/modules.ts';
import { mutationsOf } from './affected/mutation.ts';
import { type Copy, copyCheckout, type Fault } from './affected/mutation-trial.ts';
import { isTest, type Modules, selectTests } from './affected/selection.ts';

type Outcome =
  | 'noticed by the selected tests'
  | 'NOTICED ONLY BY OTHERS'
  | 'noticed by nobody'
  | 'not noticed by the selected tests; the others did not run'
  | 'not decided: the others fail without the fault too';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: seedOfRun() },
    count: { type: 'string', default: '20' },
    only: { type: 'string', default: '' },
    'selected-only': { type: 'boolean', default: false },
  },
});
if (execFileSync('git', ['status', '--porcelain', '--untracked-files=no'], { encoding: 'utf8' }) !== '') {
  console.error('Commit your changes first: the trial takes a copy of the last commit.');
  process.exit(1);
}
process.exitCode = await tryMutations();

async function tryMutations(): Promise<number> {
  const { seed, count, only } = values;
  const again = `--seed ${seed} --count ${count}${only && ` --only ${only}`}`;
  console.log(`${count} faults; again with: npm run test:mutations -- ${again}`);
  const modules = await readModules();
  const faults = draw(modules, seededRandom(seed), Number(count));
  const outcomes: Outcome[] = [];
  const copy = copyCheckout();
  try {
    for (const fault of faults) outcomes.push(await tryFault(copy, modules, fault));
  } catch (error) {
    if (!copy.stopped.aborted) throw error;
    return 1;
  } finally {
    copy.remove();
  }
  for (const outcome of new Set(outcomes))
    console.log(`${outcome}: ${outcomes.filter((each) => each === outcome).length}`);
  return outcomes.includes('NOTICED ONLY BY OTHERS') ? 1 : 0;
}

/** A module whose change makes everything run leaves nothing out, so there is nothing to try. */
function draw(modules: Modules, random: Random, count: number): Fault[] {
  const wanted = [...modules.keys()]
    .filter((file) => /^(src|sandbox)\/.*[.]ts$/.test(file) && file.includes(values.only))
    .filter((file) => !isTest(file) && !file.includes('/testing/') && !file.endsWith('.d.ts'))
    .filter((file) => selectTests(modules, [file]).everything === null)
    .map((module) => ({ module, mutations: mutationsOf(modules.get(module)?.text ?? '') }))
    .filter(({ mutations }) => mutations.length > 0)
    .sort((one, other) => (one.module < other.module ? -1 : 1));
  return Array.from({ length: wanted.length > 0 ? count : 0 }, () => {
    const { module, mutations } = random.pick(wanted);
    return { module, mutation: random.pick(mutations) };
  });
}

async function tryFault(copy: Copy, modules: Modules, fault: Fault): Promise<Outcome> {
  const { module, mutation } = fault;
  console.log(`${module}:${mutation.line}: ${mutation.was} → ${mutation.now}`);
  const { files } = selectTests(modules, [module]);
  const selected = testFiles({}).filter((file) => files.has(file));
  for (const batch of nearestFirst(modules, module, selected)) {
    const { passed, failures } = await copy.run(batch, fault);
    if (!passed) return say('noticed by the selected tests', failures);
  }
  if (values['selected-only']) return say('not noticed by the selected tests; the others did not run', []);
  const others = testFiles({}).filter((file) => !files.has(file));
  const { passed, failures } = await copy.run(others, fault);
  if (passed) return say('noticed by nobody', []);
  const without = await copy.run(others, null);
  return say(
    without.passed ? 'NOTICED ONLY BY OTHERS' : 'not decided: the others fail without the fault too',
    failures,
  );
}

/** Three batches: the next one runs only when the one before noticed nothing. */
function nearestFirst(modules: Modules, module: string, selected: string[]): string[][] {
  const folder = module.slice(0, module.lastIndexOf('/') + 1);
  const isNear = (file: string) =>
    file.startsWith(folder) || modules.get(file)?.imports.includes(module) === true;
  const isFar = (file: string) => !isNear(file) && !isQuick(file);
  return [
    selected.filter(isNear),
    selected.filter((file) => !isNear(file) && !isFar(file)),
    selected.filter(isFar),
  ].filter((batch) => batch.length > 0);
}

function say(outcome: Outcome, failures: string[]): Outcome {
  const more = failures.length > 3 ? `, and ${failures.length - 3} more` : '';
  console.log(`  ${outcome}${failures.length > 0 ? `: ${failures.slice(0, 3).join('; ')}${more}` : ''}`);
  return outcome;
}
