/** `teller keys status`, `rotate` and `rewrap`: the rotation of the master key (docs/key-rotation.md). */
import type { Command } from 'commander';
import { turnProviderOff, turnProviderOn } from '../api/key-provider.ts';
import { completeJournal, missingKeys } from '../api/missing-keys.ts';
import { type Rewrapped, rewrapKeys } from '../api/rewrap-keys.ts';
import { type RotationState, readRotation, rotateKeys } from '../api/rotate-keys.ts';
import type { Config } from '../config.ts';
import type { JournalKey } from '../vault/key-journal.ts';
import type { KeyRing } from '../vault/master-keys/key-ring.ts';
import { type KeysDeps, withKeys } from './command-line.ts';
import { textTable, timeText } from './text-table.ts';

export function keyRotationCommands(keys: Command): void {
  keys
    .command('status', { isDefault: true })
    .description(
      'say which master key seals, what a rotation needs next, and which keys of the key journal the database lacks; exit code 1 when it lacks any',
    )
    .action(() =>
      withKeys(async (deps) => {
        const state = await readRotation(deps, overlapSeconds(deps.config));
        process.stdout.write(describeRotation(state, deps.key_ring));
        if (deps.key_journal.path === null) return;
        const missing = await missingKeys(deps);
        process.stdout.write(describeMissing(missing));
        if (missing.length > 0) process.exitCode = 1;
      }),
    );

  keys
    .command('rotate')
    .description('let MASTER_KEY seal from now on; MASTER_KEY_PREVIOUS is the key before')
    .action(() => withKeys(rotate));

  const provider = keys
    .command('provider')
    .description('seal new seeds with the help of the key provider of KEY_PROVIDER, or without one');
  provider
    .command('on')
    .description(
      'every process must have KEY_PROVIDER set; then "teller keys rewrap" seals the existing seeds again',
    )
    .action(() => withKeys((deps) => turnProvider(deps, 'on')));
  provider
    .command('off')
    .description('KEY_PROVIDER stays set until "teller keys rewrap" has sealed every seed again')
    .action(() => withKeys((deps) => turnProvider(deps, 'off')));

  keys
    .command('rewrap')
    .description(
      'seal every row again, with the master key that seals now, while the service runs; a second run continues; exit code 1 when a row does not open',
    )
    .action(() => withKeys(rewrap));
}

async function rotate(deps: KeysDeps): Promise<void> {
  const is_new = await rotateKeys(deps);
  const { id } = deps.key_ring.sealing();
  process.stdout.write(
    is_new
      ? `Key ${id} seals from now on. Next: "teller keys rewrap".\n`
      : `Key ${id} seals already. See "teller keys status".\n`,
  );
}

async function turnProvider(deps: KeysDeps, to: 'on' | 'off'): Promise<void> {
  const is_new = await (to === 'on' ? turnProviderOn(deps) : turnProviderOff(deps));
  const how = to === 'on' ? `with the help of ${deps.data_keys?.provider.key}` : 'by the master key alone';
  process.stdout.write(
    is_new
      ? `New seeds are sealed ${how} from now on. Next: "teller keys rewrap".\n`
      : `New seeds are sealed ${how} already. See "teller keys status".\n`,
  );
}

async function rewrap(deps: KeysDeps): Promise<void> {
  const rewrapped = await rewrapKeys(deps);
  const { resealed } = await completeJournal(deps);
  process.stdout.write(describeRewrapped(rewrapped, deps.key_ring));
  if (deps.key_journal.path !== null)
    process.stdout.write(`Recorded ${resealed} keys of the key journal again.\n`);
  if (!rewrapped.is_done) process.exitCode = 1;
}

/**
 * Returns for how many seconds a token that the key before has signed may be in use. Tokens of programs end by themselves; a browser
 * gets a new token with its next use, and ends without one.
 */
function overlapSeconds({ jwt_ttl_seconds, session_idle_seconds }: Config): number {
  return Math.max(jwt_ttl_seconds, session_idle_seconds);
}

function describeRewrapped({ resealed, broken, is_done }: Rewrapped, ring: KeyRing): string {
  const { id } = ring.sealing();
  const lines = broken.map(({ kind, key }) => `${key} (${kind}): no key opens it; it was not changed\n`);
  const end = is_done
    ? `Every row is sealed with key ${id}. "teller keys status" says what comes next.`
    : 'Some rows are not. Keep the key before.';
  return `${lines.join('')}Sealed ${resealed} rows again, with key ${id}. ${end}\n`;
}

function describeProvider(provider: RotationState['provider'], ring: KeyRing): string {
  if (!provider) return 'No seed needs a key provider.\n';
  const { kind, key, since, seeds_with, seeds_without } = provider;
  const now = ring.usesProvider() ? 'New seeds need it.' : 'New seeds do not need it.';
  return `Key provider ${kind}, ${key}, since ${timeText(since)}: ${seeds_with} seeds need it, ${seeds_without} do not. ${now}\n`;
}

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);

function describeRotation(
  { sealing, known, rows, provider, running, next }: RotationState,
  ring: KeyRing,
): string {
  const ids = known.map(({ key_check }) => ring.idOf(key_check));
  const titles = ['rows', ...ids, 'another key'];
  const cells = rows.map(({ kind, counts }) => {
    const of_known = ids.map((id) => counts.get(id) ?? 0);
    const of_others = sum([...counts.values()]) - sum(of_known);
    return [kind, ...[...of_known, of_others].map(String)];
  });
  const processes = running.processes.map(
    ({ name, key_ids, provider: has }) =>
      `process ${name} knows ${key_ids.join(' and ')}${has === null ? '' : `, and has ${has}`}\n`,
  );
  const nameless = running.nameless > 0 ? `${running.nameless} connections of commands\n` : '';
  return [
    `Key ${sealing.id} seals. This command has ${ring.keys.map(({ id }) => id).join(' and ')}.\n`,
    describeProvider(provider, ring),
    textTable(
      ['key', 'seals since', 'left at'],
      known.map(({ key_check, sealing_since, left_at }) => [
        ring.idOf(key_check),
        timeText(sealing_since),
        timeText(left_at),
      ]),
    ),
    textTable(titles, cells),
    ...processes,
    nameless,
    next === null ? 'Nothing is to do.\n' : `Next: ${next}.\n`,
  ].join('');
}

function describeMissing(missing: JournalKey[]): string {
  if (missing.length === 0) return 'The database has every key of the key journal.\n';
  const lines = missing.map(
    ({ kind, id, account, created_at }) => `${kind} ${id}: ${account}, made ${created_at.toISOString()}\n`,
  );
  return `${lines.join('')}The database lacks ${missing.length} keys: "teller keys recover" brings them back.\n`;
}
