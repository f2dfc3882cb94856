/** `teller service-user`: the operator manages service users of every team, beside the running service and without a login. */
import { strict as assert } from 'node:assert';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { AwaitsApproval } from '../access/changes/access-changes.ts';
import {
  changeServiceUser,
  createServiceUser,
  type Manager,
  removeServiceUser,
  rotateSecret,
  type ServiceUserDeps,
  type ServiceUserWithSecrets,
} from '../access/service-users/service-users.ts';
import { operator } from '../audit/audit.ts';
import {
  findServiceUser,
  listAllServiceUsers,
  listSecrets,
  type ServiceRole,
  type ServiceUser,
} from '../auth/service-users/service-user-store.ts';
import { SERVICE_ROLES } from '../auth/teams/roles.ts';
import { teamOfUser } from '../auth/teams/team-store.ts';
import type { Db } from '../db/database.ts';
import { parseBlock } from '../lib/client-address.ts';
import { systemClock } from '../lib/clock.ts';
import { AppError, OperatorError } from '../lib/errors.ts';
import { createMetrics } from '../lib/metrics.ts';
import { shownUrl } from '../outgoing/shown-url.ts';
import { listEndpointsOfServiceUser } from '../webhooks/store/endpoint-store.ts';
import { withServiceDatabase } from './command-line.ts';
import { requireUser } from './require-user.ts';
import { textTable, timeText } from './text-table.ts';

const SHOWN_ONCE = 'It is shown only now.';

export function serviceUserCommands(program: Command): void {
  const command = program
    .command('service-user')
    .description('programs that act with the rights of a member; no login is needed here');

  command
    .command('list', { isDefault: true })
    .description('list the service users of all teams')
    .option('--json', 'as JSON')
    .action(({ json = false }: { json?: boolean }) => printed(({ db }) => list(db, json)));

  createCommand(command);

  command
    .command('disable')
    .description('end every token of a service user, and give no new one; no login can undo it')
    .argument('<id>', 'id of the service user, svu_…')
    .action((id: string) => printed((deps) => setEnabled(deps, id, false)));

  command
    .command('enable')
    .description('let a disabled service user get tokens again')
    .argument('<id>', 'id of the service user, svu_…')
    .action((id: string) => printed((deps) => setEnabled(deps, id, true)));

  command
    .command('rotate')
    .description(
      'give a service user a new secret, which is printed once; the newest one of before stays valid',
    )
    .argument('<id>', 'id of the service user, svu_…')
    .option('--now', 'end every secret of before, and the tokens that were given for them')
    .action((id: string, { now = false }: { now?: boolean }) => printed((deps) => rotate(deps, id, now)));

  command
    .command('remove')
    .description('end a service user with its secrets, keys and tokens, for ever')
    .argument('<id>', 'id of the service user, svu_…')
    .action((id: string) => printed((deps) => remove(deps, id)));
}

type CreateOptions = { team: string; name: string; role: ServiceRole; wallet?: string[]; allowIp?: string[] };

function createCommand(command: Command): void {
  command
    .command('create')
    .description('make a service user; its secret is printed once')
    .requiredOption('--team <email>', 'e-mail address of a member of the team')
    .requiredOption('--name <name>', 'what people call the program', nameText)
    .addOption(new Option('--role <role>', 'what it may do').choices(SERVICE_ROLES).makeOptionMandatory())
    .option('--wallet <ids...>', 'the wallets that it may use (default: every wallet of the team)')
    .option(
      '--allow-ip <blocks...>',
      'addresses or CIDR blocks that it may come from (default: every address)',
    )
    .action((options: CreateOptions) => printed((deps) => create(deps, options)));
}

function nameText(text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= 100) return name;
  throw new InvalidArgumentError('It must have 1 to 100 characters.');
}

function printed(work: (deps: ServiceUserDeps) => Promise<string>): Promise<void> {
  return withServiceDatabase(async ({ database: { db }, log }) => {
    process.stdout.write(await work({ db, log, clock: systemClock, metrics: createMetrics() }));
  });
}

async function list(db: Db, json: boolean): Promise<string> {
  const rows = await listAllServiceUsers(db);
  const secrets = await listSecrets(
    db,
    rows.map(({ id }) => id),
  );
  const all = rows.map((row) => ({
    ...row,
    secrets: secrets.filter(({ service_user_id }) => service_user_id === row.id),
  }));
  if (json) return `${JSON.stringify(all, null, 2)}\n`;
  if (all.length === 0) return 'There is no service user.\n';
  return textTable(
    ['ID', 'NAME', 'TEAM', 'ROLE', 'CREDENTIALS', 'ADDRESSES', 'LAST USED', 'DISABLED'],
    all.map((row) => [
      row.id,
      row.name,
      row.team_name,
      row.role,
      credentialsInWords(row),
      row.allowed_ips?.join(' ') ?? '',
      timeText(row.last_used_at),
      row.disabled_at ? `by the ${row.disabled_by} since ${timeText(row.disabled_at)}` : '',
    ]),
  );
}

function credentialsInWords({ secrets, public_keys }: ServiceUserWithSecrets): string {
  const secret = secrets.map(({ last_four }) => `secret …${last_four}`);
  return [...secret, ...public_keys.map(({ kid }) => `key ${kid}`)].join(', ');
}

/** @throws OperatorError when the member or a wallet is unknown, or an address block is invalid */
async function create(deps: ServiceUserDeps, options: CreateOptions): Promise<string> {
  const { name, role, wallet = null, allowIp: allowed_ips = null } = options;
  const user = await requireUser(deps.db, options.team);
  const membership = await teamOfUser(deps.db, user.id);
  if (!membership) throw new OperatorError(`There is no member ${options.team}.`);
  const wrong = allowed_ips?.find((text) => parseBlock(text) === null);
  if (wrong !== undefined) throw new OperatorError(`${wrong} is no address or CIDR block.`);
  const manager = { actor: operator(), team_id: membership.team_id, caller: null };
  const order = { name, role, wallet_ids: wallet, allowed_ips, public_keys: [] };
  const { service_user, client_secret } = done(await createServiceUser(deps, manager, order).catch(inWords));
  return `Made ${service_user.id}, the client id of ${name}.\nSecret: ${client_secret}\n${SHOWN_ONCE}\n`;
}

/** Returns the outcome of a change, which never awaits approvals: the operator needs none. */
function done<T>(outcome: T | AwaitsApproval): T {
  assert(!(outcome instanceof AwaitsApproval));
  return outcome;
}

/**
 * Turns the details of an error, which name fields of a body, into words about the option `--wallet`. Throws any other error as it
 * is.
 * @throws OperatorError
 */
function inWords(error: unknown): never {
  if (!(error instanceof AppError) || !error.details) throw error;
  throw new OperatorError(
    `${error.message} --wallet ${error.details.map(({ message }) => message).join(', ')}.`,
  );
}

/** @throws OperatorError when there is no such service user */
async function setEnabled(deps: ServiceUserDeps, id: string, enabled: boolean): Promise<string> {
  const changed = done(await changeServiceUser(deps, await managerFor(deps, id), { id, enabled }));
  const { name } = changed;
  if (enabled) return `Enabled: ${id} (${name}) can get tokens again.\n`;
  const words = `Disabled: ${id} (${name}). Its tokens have ended, and it gets no new one. Only "teller service-user enable" undoes this.\n`;
  return words + (await endpointsInWords(deps, changed));
}

/** @throws OperatorError when there is no such service user */
async function rotate(deps: ServiceUserDeps, id: string, now: boolean): Promise<string> {
  const order = { id, retire: now ? ('all' as const) : ('older' as const) };
  const { client_secret } = done(await rotateSecret(deps, await managerFor(deps, id), order));
  const before = now
    ? 'Every secret of before, and the tokens that were given for them, have ended.'
    : 'The newest secret of before stays valid. "teller service-user rotate --now", or retiring it, ends it.';
  return `New secret of ${id}: ${client_secret}\n${SHOWN_ONCE} ${before}\n`;
}

/** @throws OperatorError when there is no such service user */
async function remove(deps: ServiceUserDeps, id: string): Promise<string> {
  const removed = await removeServiceUser(deps, await managerFor(deps, id), id);
  const words = `Removed: ${id} (${removed.name}). Its secrets, keys and tokens have ended.\n`;
  return words + (await endpointsInWords(deps, removed));
}

/** Describes the webhook endpoints that a service user has registered; empty when there are none now. */
async function endpointsInWords({ db }: ServiceUserDeps, service_user: ServiceUser): Promise<string> {
  const endpoints = await listEndpointsOfServiceUser(db, service_user);
  if (endpoints.length === 0) return '';
  const rows = endpoints.map(({ id, wallet_id, url, enabled }) => [
    id,
    wallet_id,
    shownUrl(url),
    enabled ? '' : 'disabled',
  ]);
  const words =
    'Endpoints that it has registered go on. A member of the team disables those that nobody knows:\n';
  return words + textTable(['ID', 'WALLET', 'URL', ''], rows);
}

async function managerFor({ db }: ServiceUserDeps, id: string): Promise<Manager> {
  const found = await findServiceUser(db, id, undefined);
  if (!found)
    throw new OperatorError(`There is no service user ${id}. "teller service-user list" shows all.`);
  return { actor: operator(), team_id: found.team_id, caller: null };
}
