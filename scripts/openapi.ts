/** Writes docs/openapi.json and docs/rights.md from the routes, or with --check says whether they are up to date. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildApp } from '../src/api/app.ts';
import { DESCRIPTION } from '../src/api/reference/describe.ts';
import { readConfig } from '../src/config.ts';
import type { Deps } from '../src/deps.ts';
import { openApiText } from '../src/http/openapi.ts';
import { systemClock } from '../src/lib/clock.ts';
import { createLog } from '../src/lib/log.ts';
import { createKeys } from '../src/vault/keys.ts';
import type { WithdrawalEngine } from '../src/withdrawals/engine/engine.ts';
import { rightsPage } from './rights.ts';

const DOCS = join(import.meta.dirname, '..', 'docs');

// Routes are only declared here, never called: they need a configuration, a clock, a log and some key, and nothing else.
const { jwt_keys } = createKeys([Buffer.alloc(32)]);
const log = createLog('silent', false);
const deps = { config: readConfig({}), clock: systemClock, log, jwt_keys } as Deps;
const app = await buildApp(deps, {} as WithdrawalEngine);
const text = openApiText(app, DESCRIPTION);
await app.close();

for (const [name, written] of Object.entries({
  'openapi.json': text,
  'rights.md': rightsPage(JSON.parse(text)),
})) {
  const file = join(DOCS, name);
  if (!process.argv.includes('--check')) writeFileSync(file, written);
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== written) {
    console.error(`docs/${name} differs from the routes: run "npm run openapi" and look at the difference.`);
    process.exitCode = 1;
  }
}
