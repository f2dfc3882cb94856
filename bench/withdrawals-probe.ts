/** Loaded into the service by NODE_OPTIONS: at SIGUSR2 it writes the longest block of the event loop since the last time. */
import { renameSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 10; // a finer one would use CPU time that is counted for the service

const { BENCH_PROBE_FILE: file } = process.env;
if (file !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  process.on('SIGUSR2', () => {
    writeFileSync(`${file}.new`, JSON.stringify({ longest_block_ms: delay.max / 1e6 }));
    renameSync(`${file}.new`, file);
    delay.reset();
  });
}
