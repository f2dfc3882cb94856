/** The guides of docs/guides/, with which the API reference begins. The number in a file's name is its place. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const DIR = join(import.meta.dirname, '..', '..', '..', 'docs', 'guides');

export const GUIDES = readdirSync(DIR)
  .filter((name) => name.endsWith('.md'))
  .sort()
  .map((name) => readFileSync(join(DIR, name), 'utf8').trim())
  .join('\n\n');
