/**
 * The key provider of an installation: the database names it, and every process must have it.
 *
 * | KEY_PROVIDER | the database                          | a start                                                           |
 * |--------------|---------------------------------------|-------------------------------------------------------------------|
 * | local        | needs none                            | works as without providers                                        |
 * | local        | needs one                             | is refused                                                        |
 * | P            | has no seed yet                       | proves P, and names it                                            |
 * | P            | names none                            | works; "teller keys provider on" names P                          |
 * | P            | needs P                               | works, also while P is away: deposits and webhooks go on          |
 * | P            | needs another one                     | is refused, when the kind or the key tells                        |
 */
import type { Config } from '../config.ts';
import type { Db } from '../db/database.ts';
import { InstallationMismatch } from '../db/installation.ts';
import { changeProvider, findProvider, type ProviderRow } from '../db/key-providers.ts';
import { readSealingKey } from '../db/master-keys.ts';
import { runningProcesses } from '../db/running-processes.ts';
import type { Deps } from '../deps.ts';
import { systemClock } from '../lib/clock.ts';
import { OperatorError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { type Loop, startLoop } from '../lib/loop.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { KeyRing } from '../vault/master-keys/key-ring.ts';
import { createDataKeys, type DataKeys } from '../vault/providers/data-keys.ts';
import { openProvider } from '../vault/providers/open-provider.ts';
import { type ProviderState, watchProvider } from '../vault/providers/watched-provider.ts';
import { sealedWallets } from '../wallets/store.ts';
import { sealedChannels, sealedTreasuries } from '../withdrawals/channels/channel-store.ts';

/** A provider that has come back is used after at most so long. */
const LOOK_MS = 5_000;

type ProviderDeps = { db: Db; key_ring: KeyRing; data_keys: DataKeys | null; log: Log };

/** Opens the provider of the configuration, and asks nothing of it. Returns null for `local`. */
export async function openDataKeys(
  config: Config,
  log: Log,
  metrics: Metrics | null,
): Promise<DataKeys | null> {
  const { key_provider } = config;
  if (!key_provider) return null;
  const provider = await openProvider(key_provider, systemClock);
  const { kind, key } = provider;
  metrics?.key_provider_up.set({ provider: kind }, 1);
  const watched = watchProvider(provider, {
    clock: systemClock,
    onCall: ({ operation, outcome, seconds }) =>
      metrics?.key_provider_call_seconds.observe({ operation, outcome }, seconds),
    onChange(state) {
      metrics?.key_provider_up.set({ provider: kind }, state.ok ? 1 : 0);
      if (state.ok) log.info({ key }, 'the key provider gives keys again');
      else
        log.error(
          { key, fault: state.fault, reason: state.message },
          `${describeFault(state)}: nothing is signed`,
        );
    },
  });
  return createDataKeys(watched, { clock: systemClock, cache_seconds: config.key_cache_seconds });
}

/** Asks the provider when no signature has asked it lately, so that its state is known. Returns null without a provider. */
export function watchKeyProvider({ data_keys, clock, log, metrics }: Deps): Loop | null {
  if (!data_keys) return null;
  const step = async () => {
    await data_keys.provider.check();
    return false;
  };
  return startLoop({ name: 'key provider', step, idle_ms: LOOK_MS, clock, log, metrics });
}

const FAULTS = {
  refused: 'the key provider has another key',
  denied: 'the key provider denies the use of its key',
  disabled: 'the key of the key provider is disabled',
  unusable: 'the key of the key provider cannot be used',
  throttled: 'the key provider throttles the service',
  away: 'the key provider does not answer',
};

/** Describes the fault of a provider in words without secrets and without names, for strangers too. */
export function describeFault({ fault }: ProviderState & { ok: false }): string {
  return FAULTS[fault];
}

/**
 * Tells the provider what it must open. Call it whenever the database may name another provider.
 * @throws InstallationMismatch when seeds may need a provider that this process has not
 */
export async function requireProvider({ db, data_keys }: ProviderDeps): Promise<void> {
  const needed = await findProvider(db);
  if (!needed) return;
  if (data_keys?.provider.kind !== needed.kind)
    throw new InstallationMismatch(
      `The seeds of this database need the key provider ${needed.kind} (${needed.key}), and KEY_PROVIDER is ` +
        `${data_keys?.provider.kind ?? 'local'}. Set KEY_PROVIDER=${needed.kind}, and give this process that key.`,
    );
  data_keys.provider.expect(needed);
}

/**
 * Requires the provider as `requireProvider` does, and asks it, for a start.
 * @throws InstallationMismatch also when the answer shows that the provider has another key, or that its key cannot be used
 */
export async function proveProvider(deps: ProviderDeps): Promise<void> {
  await requireProvider(deps);
  const needed = await findProvider(deps.db);
  if (!needed || !deps.data_keys) return;
  const state = await deps.data_keys.provider.check();
  if (state.ok || state.fault !== 'unusable') return;
  throw new InstallationMismatch(
    `The key provider cannot open what ${needed.key} has wrapped for this database: ${state.message}. ` +
      `Configured is ${deps.data_keys.provider.key}.`,
  );
}

/**
 * Lets an installation that has no seed yet begin with its provider. Others begin with "teller keys provider on".
 * @throws OperatorError when the provider gives no key
 */
export async function beginWithProvider(deps: ProviderDeps): Promise<void> {
  const { db, data_keys, log } = deps;
  if (!data_keys || (await findProvider(db))) return;
  if (await hasSeeds(db)) {
    log.warn(
      `KEY_PROVIDER is ${data_keys.provider.kind}, but new seeds are sealed by the master key alone until "teller keys provider on"`,
    );
    return;
  }
  const to = await newProvider(data_keys);
  await changeProvider(db, { from: null, to, now: systemClock.now() }); // another first start may have come before
  await requireProvider(deps);
}

async function hasSeeds(db: Db): Promise<boolean> {
  for (const rows of [sealedWallets, sealedChannels, sealedTreasuries])
    if ((await rows.countByKey(db)).size > 0) return true;
  return false;
}

/** @throws OperatorError */
async function newProvider({ provider }: DataKeys): Promise<ProviderRow> {
  try {
    const { key_check, wrapped } = await provider.makeKnownAnswer();
    return { key_check, wrapped, kind: provider.kind, key: provider.key };
  } catch (error) {
    throw new OperatorError(
      `The key provider ${provider.kind} (${provider.key}) gives no key: ${(error as Error).message}.`,
      {
        cause: error,
      },
    );
  }
}

/**
 * Lets new seeds be sealed with the help of the provider (`teller keys provider on`). Returns false when they are already.
 * @throws OperatorError when KEY_PROVIDER is local, a process runs that does not have the provider, the provider gives no key, or
 * another command came first
 */
export async function turnProviderOn(deps: ProviderDeps): Promise<boolean> {
  const { db, data_keys } = deps;
  if (!data_keys)
    throw new OperatorError(
      'KEY_PROVIDER is local. Set it for this command and for every process. Nothing was changed.',
    );
  const named = await readSealingKey(db);
  if (named?.provider_check) return false;
  await refuseWithoutProvider(db, data_keys.provider.kind);
  const needed = await findProvider(db);
  if (needed) await proveProvider(deps);
  const to = needed ? rowOf(needed) : await newProvider(data_keys);
  return changed(await changeProvider(db, { from: null, to, now: systemClock.now() }));
}

/**
 * Lets new seeds be sealed by the master key alone (`teller keys provider off`). Returns false when they are already.
 * @throws OperatorError when another command came first
 */
export async function turnProviderOff({ db }: ProviderDeps): Promise<boolean> {
  const named = await readSealingKey(db);
  if (!named?.provider_check) return false;
  return changed(await changeProvider(db, { from: named.provider_check, to: null, now: systemClock.now() }));
}

function changed(is_changed: boolean): true {
  if (!is_changed)
    throw new OperatorError('Another command came first. See "teller keys status". Nothing was changed.');
  return true;
}

function rowOf({ key_check, wrapped, kind, key }: ProviderRow): ProviderRow {
  return { key_check, wrapped, kind, key };
}

/**
 * Refuses the change while a process runs that does not have this provider. Such a process could open nothing that the others seal
 * from then on, and would end.
 * @throws OperatorError
 */
async function refuseWithoutProvider(db: Db, kind: string): Promise<void> {
  const { processes, nameless } = await runningProcesses(db);
  const unaware = processes.filter(({ provider }) => provider !== kind).map(({ name }) => name);
  if (unaware.length > 0)
    throw new OperatorError(
      `These processes do not have KEY_PROVIDER=${kind}: ${unaware.join(', ')}. Start them with it. Nothing was changed.`,
    );
  if (nameless > 0)
    throw new OperatorError(
      'Another command is connected to the database. Stop it, or wait for its end. Nothing was changed.',
    );
}
