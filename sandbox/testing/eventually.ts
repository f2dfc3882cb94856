import { setTimeout } from 'node:timers/promises';

const TIMEOUT_MS = 60_000;
const PAUSE_MS = 20;

/** Waits until `probe` gives true. @throws Error that names `what` after a minute */
export async function eventually(what: string, probe: () => boolean): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (!probe()) {
    if (performance.now() > deadline) throw new Error(`waited ${TIMEOUT_MS} ms for: ${what}`);
    await setTimeout(PAUSE_MS);
  }
}
