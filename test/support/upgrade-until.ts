/** `node upgrade-until.ts DATA_DIR OLD_PROGRAMS STEP`: upgrades the embedded database, and kills itself when it tells the step. */
import { upgradeDatabase } from '../../src/cli/upgrade-database.ts';
import { createLog } from '../../src/lib/log.ts';

const [data_dir = '', old_programs = '', last_step = ''] = process.argv.slice(2);
const options = {
  data_dir,
  old_programs,
  log: createLog('silent', false),
  fsync: false,
  freeBytes: async () => Number.MAX_SAFE_INTEGER,
};
await upgradeDatabase(options, (step) => {
  if (step.startsWith(last_step)) process.kill(process.pid, 'SIGKILL');
});
