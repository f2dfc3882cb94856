/** `npm run chaos [-- --minutes N --seed X]`: see chaos.ts. Exit code 1 when anything is wrong. */
import { parseArgs } from 'node:util';
import { seedOfRun } from '../support/random.ts';
import { runChaos } from './chaos.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '5' }, seed: { type: 'string', default: seedOfRun() } },
});
const minutes = Number(values.minutes);

if (!(minutes > 0)) {
  console.error('npm run chaos [-- --minutes N --seed X]');
  process.exitCode = 1;
} else {
  const { seed } = values;
  console.log(
    `chaos for ${minutes} minutes; again with: npm run chaos -- --minutes ${minutes} --seed ${seed}`,
  );
  const found = await runChaos({
    seed,
    length_ms: minutes * 60_000,
    wait_for_webhooks: true,
    say: (line) => console.log(line),
  });
  for (const violation of found) console.error(`WRONG: ${violation}`);
  console.log(`violations: ${found.length}`);
  process.exit(found.length === 0 ? 0 : 1); // clients that wait for ever would keep us
}
