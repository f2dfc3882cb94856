/** `npm run bench -- NAME [--rounds N]`: prints a table of figures, each with its ratio to a ceiling of the same run. */
import { parseArgs } from 'node:util';
import { benchSandbox } from './sandbox.ts';

const BENCHES: Record<string, (rounds: number) => Promise<void>> = { sandbox: benchSandbox };

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '7' } },
});
const [name = ''] = positionals;
const bench = BENCHES[name];
const rounds = Number(values.rounds);

if (bench === undefined || !Number.isInteger(rounds) || rounds < 1) {
  console.error(`npm run bench -- ${Object.keys(BENCHES).join('|')} [--rounds N]`);
  process.exitCode = 1;
} else {
  await bench(rounds);
}
