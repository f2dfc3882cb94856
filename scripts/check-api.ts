/**
 * `npm run check:api`: checks docs/openapi.json with redocly and spectral, a running service against it with schemathesis, and
 * clients for Go that are generated from it. The tools are installed in a folder of their own, beside node_modules; `npm ci` and
 * the CI do without them.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startRunningService, unique } from '../test/support/running-service.ts';
import { checkGoPrograms } from './check-api/go-programs.ts';

const ROOT = join(import.meta.dirname, '..');
const TOOLS = join(ROOT, 'node_modules', '.cache', 'check-api');
const DOCUMENT = join(ROOT, 'docs', 'openapi.json');
const NPM_TOOLS = ['@redocly/cli@2.77.0', '@stoplight/spectral-cli@6.16.0'];
const SCHEMATHESIS = 'schemathesis==4.32.5';
/** They would end the login of the checks. */
const LEFT_OUT = ['logout', 'renewToken', 'endOtherSessions', 'changePassword'];

function run(command: string, args: string[], options: { quiet?: boolean } = {}): boolean {
  const stdio = options.quiet ? 'ignore' : 'inherit';
  const { status, error } = spawnSync(command, args, { cwd: TOOLS, stdio });
  return error === undefined && status === 0;
}

function installNpmTools(): void {
  mkdirSync(TOOLS, { recursive: true });
  writeFileSync(join(TOOLS, 'package.json'), '{"private":true}\n');
  if (!run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...NPM_TOOLS]))
    throw new Error('redocly and spectral could not be installed');
}

/** Gives the command, or null where there is no Python. */
function installSchemathesis(): string | null {
  const command = join(TOOLS, 'python', 'bin', 'schemathesis');
  if (existsSync(command)) return command;
  if (!run('python3', ['-m', 'venv', 'python'], { quiet: true })) return null;
  if (!run(join(TOOLS, 'python', 'bin', 'pip'), ['install', '--quiet', SCHEMATHESIS]))
    throw new Error('schemathesis could not be installed');
  return command;
}

/** @returns whether neither tool has anything to say */
function lint(): boolean {
  const bin = (name: string) => join(TOOLS, 'node_modules', '.bin', name);
  writeFileSync(join(TOOLS, 'spectral.yaml'), 'extends: ["spectral:oas"]\n');
  const redocly = spawnSync(
    bin('redocly'),
    ['lint', DOCUMENT, '--extends', 'recommended', '--format', 'json'],
    {
      cwd: TOOLS,
      encoding: 'utf8',
    },
  );
  const { totals } = JSON.parse(redocly.stdout) as { totals: { errors: number; warnings: number } };
  const is_clean = totals.errors + totals.warnings === 0;
  if (!is_clean) console.error(redocly.stdout);
  console.log(`${is_clean ? 'ok  ' : 'FAIL'} redocly recommended`);
  const spectral = run(bin('spectral'), [
    'lint',
    DOCUMENT,
    '--ruleset',
    join(TOOLS, 'spectral.yaml'),
    '--fail-severity',
    'hint',
  ]);
  console.log(`${spectral ? 'ok  ' : 'FAIL'} spectral:oas`);
  return is_clean && spectral;
}

/** Rules that no schema can say, so that requests of the right form are refused: the operations, and the statuses. */
const RULES: [rule: string, statuses: number[], operations: string[]][] = [
  [
    'checksum of an address',
    [400],
    ['payOnSandbox', 'createWithdrawal', 'previewWithdrawal', 'getStatistics'],
  ],
  ['checksum of an address', [400], ['replacePolicy', 'changePolicy', 'replaceDepositMinimums']],
  ['an issuer that is an account', [400], ['addAsset', 'getAsset', 'removeAsset']],
  ['a public URL', [400], ['registerWebhook', 'updateWebhook', 'replaceAlerts']],
  ['wallets of the team, and not all and some', [400], ['addMember', 'changeMember', 'createInvitation']],
  [
    'wallets of the team, CIDR blocks, keys',
    [400],
    ['createServiceUser', 'changeServiceUser', 'createApiKey'],
  ],
  ['exactly one proof', [400], ['proveSecondFactor', 'stepUp', 'acceptInvitation']],
  ['strings of an open object without NUL', [400], ['addPasskey']],
  ['a password for the first factor', [400], ['beginTotp', 'beginPasskey']],
  ['exactly one credential', [400], ['getServiceToken']],
  ['two secrets, or twenty endpoints, at most', [422], ['addServiceUserSecret', 'registerWebhook']],
  ['rows or a CSV of payments, and a name', [400], ['createPayout']],
  ['a number that an event has had', [422], ['listEvents']],
  ['what the treasury of the sandbox has', [422], ['payOnSandbox']],
  ['a wallet that is not frozen', [422], ['createWithdrawal', 'addAsset', 'removeAsset']],
];
/** What refuses a request of a wrong form. */
const REFUSED = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 429, '5xx'];
const ACCEPTED = ['2xx', '3xx', 401, 403, 404, 409, 429, '5xx'];

/** Ids of things that are there: without them every operation would only see 404. */
async function makeIds(
  world: Awaited<ReturnType<typeof startRunningService>>,
): Promise<Record<string, string>> {
  const { token } = world;
  const make = async (path: string, body: object, headers = {}) =>
    (await world.api('POST', path, { token, body, headers })).body.data;
  const wallet = await world.newWallet();
  const { id, account } = wallet;
  const of = `/v1/wallets/${id}`;
  const address = await make(`${of}/addresses`, { label: 'Customer' });
  const endpoint = await make(`${of}/webhooks`, { url: 'https://example.com/hook' });
  const delivery = await make(`${of}/webhooks/${endpoint.id}/test`, {});
  const key = await make(`${of}/api-keys`, { name: 'Reports', scopes: ['read'] });
  const paid = await make('/v1/sandbox/pay', { destination: account, amount_stroops: 10_000_000n });
  const [deposit] = await world.depositsOf({ ...wallet, api_key: token }, paid.stellar_tx_hash);
  const { body } = await world.withdraw(wallet, { destination: account, amount_stroops: 1n });
  const service_user = await make('/v1/team/service-users', { name: 'Program', role: 'viewer' });
  const member = {
    email: `${unique('member')}@example.com`,
    name: 'Member',
    password: 'a long enough secret',
    role: 'viewer',
  };
  const { user_id } = await make('/v1/team/members', member);
  const invitation = await make('/v1/team/invitations', {
    email: `${unique('guest')}@example.com`,
    role: 'viewer',
  });
  const { test_assets } = (await world.api('GET', '/v1/service')).body.data;
  const { asset_code, asset_issuer } = test_assets[0];
  const asset = `${asset_code}:${asset_issuer}`;
  await make(`${of}/assets`, { asset_code, asset_issuer });
  const rows = [{ idempotency_key: unique('row'), destination: account, amount_stroops: 1n }];
  const payout = await make(`${of}/payouts`, { name: 'Salaries', rows });
  await world.service.login(); // a session that may be ended
  const sessions = (await world.api('GET', '/v1/auth/sessions', { token })).body.data.items;
  const session = sessions.find(({ current }: { current: boolean }) => !current);
  return {
    id,
    address_id: address.id,
    webhook_id: endpoint.id,
    delivery_id: delivery.id,
    key_id: key.id,
    deposit_id: deposit.id,
    tx_hash: paid.stellar_tx_hash,
    withdrawal_id: body.data.id,
    user_id,
    service_user_id: service_user.id,
    secret_id: service_user.secrets[0].id,
    invitation_id: invitation.id,
    session_id: session.id,
    asset,
    payout_id: payout.id,
  };
}

/** The operations that take a cursor. */
function lists(): string[] {
  type Operation = { operationId: string; parameters?: { name: string }[] };
  const { paths } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as {
    paths: Record<string, Record<string, Operation>>;
  };
  return Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ parameters = [] }) => parameters.some(({ name }) => name === 'cursor'))
    .map(({ operationId }) => operationId);
}

/** Any text can be sent as text/csv: what is no CSV of payments gets a report of its errors with `preview` (200), else 400. */
const ANY_TEXT = { operation: 'createPayout', statuses: [200, ...REFUSED] };

/** `ends`: of things that operations may end, which others do not need. */
function configOf(ids: Record<string, string>, ends: Record<string, string>): string {
  const parameters = (given: Record<string, string>) =>
    Object.entries(given).map(([name, value]) => `"path.${name}" = "${value}"`);
  const accepted = new Map<string, Set<number>>();
  for (const [, statuses, operations] of [
    ...RULES,
    ['a cursor that the list gave out', [400], lists()] as const,
  ])
    for (const name of operations) accepted.set(name, new Set([...(accepted.get(name) ?? []), ...statuses]));
  const rules = [...accepted].flatMap(([name, statuses]) => [
    '[[operations]]',
    `include-operation-id = "${name}"`,
    `checks.positive_data_acceptance.expected-statuses = ${JSON.stringify([...ACCEPTED, ...statuses])}`,
  ]);
  return [
    '[checks]',
    `negative_data_rejection.expected-statuses = ${JSON.stringify(REFUSED)}`,
    '[parameters]',
    ...parameters(ids),
    '"query.wait_seconds" = 1',
    '[[operations]]',
    'include-operation-id = "listEvents"',
    'parameters = { "query.wait_seconds" = 0 }',
    '[[operations]]',
    'include-method = "DELETE"',
    `parameters = { ${parameters(ends).join(', ')} }`,
    ...rules,
    '[[operations]]',
    `include-operation-id = "${ANY_TEXT.operation}"`,
    `checks.negative_data_rejection.expected-statuses = ${JSON.stringify(ANY_TEXT.statuses)}`,
  ].join('\n');
}

async function checkService(command: string): Promise<boolean> {
  const world = await startRunningService({ WEBHOOK_ALLOWED_HOSTS: 'example.com' });
  try {
    const config = join(TOOLS, 'schemathesis.toml');
    writeFileSync(config, configOf(await makeIds(world), await makeIds(world)));
    return run(command, [
      '--config-file',
      config,
      'run',
      `${world.service.url}/openapi.json`,
      '--checks',
      'all',
      '--phases',
      'examples,coverage,fuzzing',
      '--max-examples',
      '10',
      '--header',
      `Authorization: Bearer ${world.token}`,
      '--seed',
      '1',
      '--workers',
      '1',
      ...LEFT_OUT.flatMap((name) => ['--exclude-operation-id', name]),
    ]);
  } finally {
    await world.stop();
  }
}

installNpmTools();
const is_clean = lint();
const command = installSchemathesis();
if (command === null) console.log('skip schemathesis: python3 with venv is not there');
const agrees = command === null || (await checkService(command));
if (command !== null) console.log(`${agrees ? 'ok  ' : 'FAIL'} schemathesis`);
const pays = await checkGoPrograms(DOCUMENT, TOOLS);
if (pays === null) console.log('skip clients for Go: go is not there');
process.exitCode = is_clean && agrees && pays !== false ? 0 : 1;
