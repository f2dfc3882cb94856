/** A network that becomes two: each closes ledgers of its own from here on, under one passphrase, with the same accounts. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sandbox } from '../../sandbox/launch.ts';
import { createStellar } from '../../src/stellar/sources/create-stellar.ts';
import type { EngineDeps } from '../../src/withdrawals/engine/hooks.ts';
import { type InProcessService, startInProcess, startNetwork } from './in-process-service.ts';

export type ForkableWorld = InProcessService & {
  /** Another network with all ledgers of this one. Its next ledger is another one as soon as something else is in it. */
  fork(): Promise<Sandbox>;
  /** A process whose sources are these Stellar RPC servers, in this order. */
  over(...rpc_urls: string[]): EngineDeps;
};

export async function startForkableWorld(env: Record<string, string> = {}): Promise<ForkableWorld> {
  const folders: string[] = [];
  const folder = () => {
    folders.push(mkdtempSync(join(tmpdir(), 'teller-fork-')));
    return folders.at(-1) as string;
  };
  const dir = folder();
  const world = await startInProcess(env, { dir });
  const closes: (() => Promise<void>)[] = [];
  return {
    ...world,
    async fork() {
      const copy = folder();
      cpSync(dir, copy, { recursive: true });
      const sandbox = await startNetwork({ dir: copy });
      closes.push(() => sandbox.stop());
      return sandbox;
    },
    over(...rpc_urls) {
      const { config, clock, log, metrics } = world.deps;
      const options = { rpc_urls, horizon_urls: [], passphrase: config.passphrase };
      const stellar = createStellar({ ...options, clock, log, metrics });
      closes.push(() => stellar.close());
      return { ...world.another(), stellar };
    },
    async close() {
      for (const close of closes) await close();
      await world.close();
      for (const each of folders) rmSync(each, { recursive: true });
    },
  };
}
