// `node bin/run.js FILE ARGS…`: installs what is missing, then runs a TypeScript file of this checkout on Node 24.
import { ensureInstalled, handOver } from './bundled-node.js';

const [script, ...args] = process.argv.slice(2);
ensureInstalled();
handOver(script, args);
