/** Writes docs/openapi.json from the routes, or with --check says whether it is up to date. */
import { readFileSync, writeFileSync } from 'node:fs';
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

const FILE = join(import.meta.dirname, '..', 'docs', 'openapi.json');

// Routes are only declared here, never called: they need a configuration, a clock, a log and some key, and nothing else.
const { jwt_keys } = createKeys([Buffer.alloc(32)]);
const log = createLog('silent', false);
const deps = { config: readConfig({}), clock: systemClock, log, jwt_keys } as Deps;
const app = await buildApp(deps, {} as WithdrawalEngine);
const text = openApiText(app, DESCRIPTION);
await app.close();

if (!process.argv.includes('--check')) writeFileSync(FILE, text);
else if (readFileSync(FILE, 'utf8') !== text) {
  console.error(
    'docs/openapi.json differs from the routes: run "npm run openapi" and look at the difference.',
  );
  process.exitCode = 1;
}
