import { setTimeout } from 'node:timers/promises';

const TIMEOUT_MS = 15_000;
const PAUSE_MS = 20;

/** Waits until `probe` gives true. @throws Error that names `what` after 15 s */
export async function eventually(what: string, probe: () => boolean): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (!probe()) {
    if (performance.now() > deadline) throw new Error(`waited ${TIMEOUT_MS} ms for: ${what}`);
    await setTimeout(PAUSE_MS);
  }
}
