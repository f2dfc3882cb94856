/**
 * `npm run chaos [-- --minutes N --seed X]`: see chaos.ts. `npm run chaos -- webhooks [--pairs N]`: see webhooks/run.ts.
 * `npm run chaos -- upgrade`: see upgrade.ts. `npm run chaos -- restore`: see restore.ts.
 * Exit code 1 when anything is wrong.
 */
import { parseArgs } from 'node:util';
import { seedOfRun } from '../support/random.ts';
import { runChaos } from './chaos.ts';
import { runRestore } from './restore.ts';
import { runUpgrade } from './upgrade.ts';
import { runWebhookChaos } from './webhooks/run.ts';

const { values, positionals } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    pairs: { type: 'string', default: '100000' },
    seed: { type: 'string', default: seedOfRun() },
  },
  allowPositionals: true,
});
const { seed } = values;
const [minutes, pairs] = [Number(values.minutes), Number(values.pairs)];
const PARTS = ['webhooks', 'upgrade', 'restore'];
const [part] = positionals;

if (!(minutes > 0 && pairs > 0) || (part !== undefined && !PARTS.includes(part))) {
  console.error(
    'npm run chaos [-- --minutes N --seed X], or -- webhooks [--pairs N --minutes N --seed X], or -- upgrade | restore [--seed X]',
  );
  process.exitCode = 1;
} else {
  const again = `--minutes ${minutes} --seed ${seed}`;
  const options = { seed, length_ms: minutes * 60_000, say: (line: string) => console.log(line) };
  if (part === 'webhooks') {
    console.log(`chaos with ${pairs} pairs; again with: npm run chaos -- webhooks --pairs ${pairs} ${again}`);
    finish(await runWebhookChaos({ ...options, pairs, deliverers: 3, wait_for_leases: true }));
  } else if (part === 'upgrade') {
    console.log(`an upgrade under load; again with: npm run chaos -- upgrade --seed ${seed}`);
    finish(await runUpgrade({ ...options, wait_for_webhooks: true }));
  } else if (part === 'restore') {
    console.log(`a restore after a loss under load; again with: npm run chaos -- restore --seed ${seed}`);
    finish(await runRestore({ ...options, wait_for_webhooks: false }));
  } else {
    console.log(`chaos for ${minutes} minutes; again with: npm run chaos -- ${again}`);
    finish(await runChaos({ ...options, wait_for_webhooks: true }));
  }
}

function finish(found: string[]): never {
  for (const violation of found) console.error(`WRONG: ${violation}`);
  console.log(`violations: ${found.length}`);
  process.exit(found.length === 0 ? 0 : 1); // clients that wait for ever would keep us
}
