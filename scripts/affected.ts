/**
 * `npm run test:affected [-- --base COMMIT] [--list]`: runs the test files that the changes since COMMIT can break, committed
 * or not, and says what it leaves out. Without `--base` the base is the commit in `.ci/proven`, whose tests have all run.
 * `--list` names every file, and runs none.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { allTestFiles, OTHER_COMMANDS, testFiles } from '../test/files.ts';
import { isLong } from '../test/support/form.ts';
import { describeSelection } from './affected/describe.ts';
import { selectSince } from './affected/select-since.ts';
import { readProven } from './ci/passed-runs.ts';

const ROOT = join(import.meta.dirname, '..');

const { values } = parseArgs({
  options: { base: { type: 'string' }, list: { type: 'boolean', default: false } },
});
const base = values.base ?? readProven();
const selection = await selectSince(base);
const { everything } = selection;
for (const line of describeSelection(base, selection, allTestFiles(), values.list)) console.log(line);
for (const [command, files] of Object.entries(OTHER_COMMANDS))
  if (everything || selection.files.some((file) => files.test(file)))
    console.log(`Run ${command} too: the changes can break its tests.`);
const run = testFiles({ long: isLong, rotating: true }).filter(
  (file) => everything || selection.reasons.has(file),
);
if (!values.list && run.length > 0) {
  const { status } = spawnSync(process.execPath, ['test/run.ts', ...run], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}
