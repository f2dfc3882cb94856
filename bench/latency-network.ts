/**
 * The network of the latency bench, in its own process: a sandbox whose ledgers close when this file says so, so that it knows
 * when each of them could first be read.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { startSandbox } from '../sandbox/launch.ts';
import { nowMs } from './measure.ts';

export type NetworkReady = { rpc_url: string };
export type Closed = { ledger: number; closed_ms: number };

const close_ms = Number(process.argv[2]);
const log = pino({ level: 'silent' });
const sandbox = await startSandbox({ port: 0, dir: null, close_ms: 0, max_operations: 2_000, log });
const ready: NetworkReady = { rpc_url: sandbox.rpc_url };
process.send?.(ready);
process.once('disconnect', () => process.exit());
for (let next_ms = nowMs(); ; next_ms += close_ms) {
  await sleep(Math.max(0, next_ms - nowMs()));
  const { sequence: ledger } = sandbox.closeLedger();
  const closed: Closed = { ledger, closed_ms: nowMs() };
  process.send?.(closed);
}
