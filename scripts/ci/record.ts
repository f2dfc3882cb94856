/**
 * `npm run ci:record -- COMMIT SHARES all|selected`: records a run of `.ci/run` that passed in `.ci/shares` and `.ci/proven`,
 * to be committed with the next change. The run prints this command at its end.
 */
import { execFileSync } from 'node:child_process';
import { parsePassedRun, recordPassedRun } from './passed-runs.ts';

const run = parsePassedRun(process.argv.slice(2).join(' '));
execFileSync('git', ['merge-base', '--is-ancestor', run.commit, 'HEAD']); // a commit that is not here proves nothing here
recordPassedRun(run);
