/**
 * `npm run release`: keeps the migrations of this version as those of the release before, in test/fixtures/schema-before.sql.
 * The next version is tested by an upgrade from them (test/scripts/release.test.ts).
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { SCHEMA_BEFORE, schemaOfThisVersion } from '../test/support/schema-before.ts';

mkdirSync(dirname(SCHEMA_BEFORE), { recursive: true });
writeFileSync(SCHEMA_BEFORE, schemaOfThisVersion());
console.log(`${SCHEMA_BEFORE} has the schema of this version. Commit it with the tag.`);
