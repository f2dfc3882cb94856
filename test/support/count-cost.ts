/** Loaded into each process of Node's runner: tells at its end what it has cost (cost.ts). */
import { cpuSoFar, tell, tellTo } from './cost.ts';

const path = process.env.TEST_COSTS;
// The runner itself loads this file too: its children are those that test.
if (path && process.env.NODE_TEST_CONTEXT) {
  delete process.env.TEST_COSTS; // what the tests start tells nothing
  tellTo(path);
  process.on('exit', () => tell({ wall: process.uptime(), cpu: cpuSoFar() }));
}
