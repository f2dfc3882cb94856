#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDashboard, ensureInstalled, handOver, root } from './bundled-node.js';

// The program takes a second to load. Scripts ask for its version alone, also before anything is installed.
if (process.argv.length === 3 && process.argv[2] === '--version') {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  process.stdout.write(`${version}\n`);
  process.exit();
}
ensureInstalled({ only_if_missing: process.argv[2] !== 'serve' });
// Node refuses to strip types below node_modules, so the published package carries compiled files.
const source = join(root, 'src', 'main.ts');
if (process.argv[2] === 'serve' && existsSync(source)) ensureDashboard();
handOver(existsSync(source) ? 'src/main.ts' : 'src/main.js', process.argv.slice(2));
