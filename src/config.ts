import { accessSync, constants, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import pg from 'pg';
import { z } from 'zod';
import { keyProviderConfig, keyProviderFaults } from './key-provider-config.ts';
import { parseBlock } from './lib/client-address.ts';
import { parseEmail } from './lib/email.ts';
import { OperatorError } from './lib/errors.ts';
import { isPrivateHost, parseHostOrBlock } from './lib/host-or-block.ts';
import { nearestName } from './lib/nearest-name.ts';
import { readPairs, SAMPLERS, type TraceSettings, tracesUrl } from './lib/traces/trace-settings.ts';
import { findMasterKey } from './vault/master-keys/master-key.ts';

/** Three operations and a fee-bump around them, of 100 stroops each. */
const SPONSORED_LINE_STROOPS = 400;

/** The known networks with their fixed values. The passphrases are those of SEP-7 and of the SDK. */
export const NETWORKS = {
  sandbox: { passphrase: 'Standalone Network ; February 2017', key_prefix: 'svc_sk_test_', rpc_url: '' },
  testnet: {
    passphrase: 'Test SDF Network ; September 2015',
    key_prefix: 'svc_sk_test_',
    rpc_url: 'https://soroban-testnet.stellar.org',
  },
  public: {
    passphrase: 'Public Global Stellar Network ; September 2015',
    key_prefix: 'svc_sk_live_',
    rpc_url: '',
  },
} as const;

export type NetworkName = keyof typeof NETWORKS;

/** From 5 s to 24 h: twelve attempts in about three days. */
const DEFAULT_RETRY_SECONDS = '5,30,120,600,1800,7200,18000,36000,50400,72000,86400';

const DEFAULT_SANDBOX_PORT = 8000;
const DEFAULT_METRICS_PORT = 9464;

const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^[0-9]+$/, `must be an integer from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be an integer from ${min} to ${max}`);
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);
const urls = list.refine((items) => items.every(isHttpUrl), 'must be http(s) URLs separated by commas');
const hosts = list.refine(
  (items) => items.every((item) => parseHostOrBlock(item) !== null),
  'must be hosts, host:port or CIDR blocks separated by commas, without wildcards',
);
const proxies = list.transform((items, { addIssue }) => {
  const blocks = items.map(parseBlock).filter((block) => block !== null);
  if (blocks.length < items.length)
    addIssue('must be addresses or CIDR blocks separated by commas, like 10.0.0.0/8');
  // Every client could then claim any address.
  if (blocks.some(([, bits]) => bits === 0)) addIssue('must not trust every address');
  return blocks;
});
/** An origin: what a browser shows before the first path. */
const origin = z
  .string()
  .refine(
    (text) => isHttpUrl(text) && new URL(text).href === `${new URL(text).origin}/`,
    'must be an http(s) URL without path, like https://teller.example.com',
  )
  .transform((text) => new URL(text).origin);
const pairs = z.string().transform((text, { addIssue }) => {
  const read = readPairs(text);
  if (read === null) addIssue('must be name=value pairs separated by commas, the values %-encoded');
  return read ?? {};
});
const headers = pairs.refine(
  (all) => Object.values(all).every((value) => /^[\x20-\x7e]*$/.test(value)),
  'must have values of printable ASCII characters',
);
const treasuryPays = list
  .refine(
    (items) => items.every((item) => item === 'fees' || item === 'reserves'),
    'must be fees, reserves, or both separated by a comma',
  )
  .transform((items) => ({ fees: items.includes('fees'), reserves: items.includes('reserves') }));
const flag = z.enum(['true', 'false'], 'must be true or false').transform((value) => value === 'true');

const databaseUrl = (message: string) =>
  z
    .string()
    .refine(isPostgresUrl, message)
    .refine(
      leavesSessionName,
      'must not set application_name: by the names of their sessions, processes know which version and keys the others have',
    )
    .optional();

const Environment = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: integer(0, 65535).default(3000),
  METRICS_PORT: integer(0, 65535).optional(),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: databaseUrl(
    'must be a URL like postgres://user:password@host:5432/name (special characters %-encoded)',
  ),
  MIGRATION_DATABASE_URL: databaseUrl(
    'must be a URL like that of DATABASE_URL, of the role that owns the tables',
  ),
  STELLAR_NETWORK: z
    .enum(['sandbox', 'testnet', 'public'], 'must be sandbox, testnet or public')
    .default('sandbox'),
  STELLAR_RPC_URL: urls.optional(),
  HORIZON_URL: urls.default([]),
  NETWORK_PASSPHRASE: z.string().min(1).optional(),
  SANDBOX_PORT: integer(0, 65535).optional(),
  // With slower ledgers, each one would look as if ledgers before it were missed (withdrawals/engine/ingest-outcomes.ts).
  SANDBOX_CLOSE_MS: integer(10, 15_000).default(1000),
  SANDBOX_STEP_MS: integer(1, 60_000).default(1),
  ADMIN_EMAIL: z
    .string()
    .trim()
    .normalize('NFC')
    .refine((text) => parseEmail(text) !== null, 'must be an e-mail address')
    .optional(),
  ADMIN_PASSWORD: z.string().min(8, 'must have at least 8 characters').max(1024).optional(),
  KEY_PROVIDER: z.enum(['local', 'aws-kms', 'pkcs11'], 'must be local, aws-kms or pkcs11').default('local'),
  AWS_KMS_KEY_ID: z.string().optional(),
  PKCS11_MODULE: z
    .string()
    .transform((path) => resolve(path))
    .optional(),
  PKCS11_TOKEN_LABEL: z.string().optional(),
  PKCS11_KEY_LABEL: z.string().optional(),
  /** Only the process of the module reads it. */
  PKCS11_PIN_FILE: z
    .string()
    .refine(isReadable, 'must be the path of a file that can be read')
    .transform((path) => resolve(path))
    .optional(),
  // Longer would be as good as no provider: a stolen memory image would open every wallet that has signed.
  KEY_CACHE_SECONDS: integer(0, 3600).default(0),
  KEY_JOURNAL: z
    .string()
    .transform((path) => resolve(path))
    .optional(),
  BACKUP_WAL_DIR: z
    .string()
    .transform((path) => resolve(path))
    .optional(),
  PUBLIC_URL: origin.optional(),
  TRUSTED_PROXIES: proxies.prefault(''),
  JWT_TTL_SECONDS: integer(60, 30 * 86_400).default(3600),
  SESSION_IDLE_SECONDS: integer(300, 30 * 86_400).default(3600), // a use is recorded once a minute only
  SESSION_MAX_SECONDS: integer(300, 30 * 86_400).default(86_400),
  CREATE_MISSING_ACCOUNTS: flag.default(true),
  CHANNELS_MAX: integer(0, 1000).default(100),
  /** Only vault/ reads the file. Messages do not show the path: somebody may have put the seed itself here. */
  TREASURY_SEED_FILE: z
    .string()
    .refine(isReadable, 'must be the path of a file that can be read')
    .transform((path) => resolve(path))
    .optional(),
  CHANNEL_FEES: z.enum(['channel', 'wallet'], 'must be channel or wallet').default('channel'),
  TREASURY_PAYS: treasuryPays.prefault(''),
  TREASURY_TEAM_DAILY_STROOPS: integer(0, 1_000_000_000_000_000).default(1_000_000_000),
  // Creating a channel account takes three operations of at least 100 stroops; a fee-bump counts as two.
  FEE_MAX_STROOPS: integer(300, 1_000_000_000).default(100_000),
  CONTRACT_FEE_MAX_STROOPS: integer(300, 1_000_000_000).default(5_000_000),
  WITHDRAW_VALID_SECONDS: integer(5, 3600).optional(),
  WITHDRAW_WAIT_SECONDS: integer(1, 3600).optional(),
  POLICY_DELAY_SECONDS: integer(0, 365 * 86_400).optional(),
  WEBHOOK_ALLOWED_HOSTS: hosts.default([]),
  WEBHOOK_RETRY_SECONDS: list
    .refine(
      (items) => items.length > 0 && items.every((item) => /^[0-9]{1,7}$/.test(item)),
      'must be seconds separated by commas',
    )
    .transform((items) => items.map(Number))
    .prefault(DEFAULT_RETRY_SECONDS),
  WEBHOOK_LOG_DAYS: integer(1, 3650).default(90),
  SMTP_URL: z
    .string()
    .refine(
      isSmtpUrl,
      'must be a URL like smtps://user:password@mail.example.com (special characters %-encoded)',
    )
    .optional(),
  MAIL_FROM: z.email('must be an e-mail address').optional(),
  ISSUER_LOOKUPS: flag.default(false),
  TEAM_WALLETS_MAX: integer(1, 10_000_000).default(10_000),
  TEAM_ADDRESSES_MAX: integer(1, 1_000_000_000).default(1_000_000),
  TEAM_WAITING_MAX: integer(1, 100_000).default(1_000),
  TEAM_REQUESTS_PER_MINUTE: integer(1, 10_000_000).default(6_000),
  OTEL_SDK_DISABLED: flag.default(false),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .refine(isHttpUrl, 'must be an http(s) URL, like http://localhost:4318')
    .optional(),
  OTEL_EXPORTER_OTLP_HEADERS: headers.prefault(''),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .literal('http/json', 'must be http/json: traces are sent in no other way')
    .optional(),
  OTEL_SERVICE_NAME: z.string().default('stellar-teller'),
  OTEL_RESOURCE_ATTRIBUTES: pairs.prefault(''),
  OTEL_TRACES_SAMPLER: z
    .enum(SAMPLERS, `must be one of ${SAMPLERS.join(', ')}`)
    .default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.[0-9]+)?|1(\.0+)?)$/, 'must be a part from 0 to 1, like 0.1')
    .transform(Number)
    .default(1),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be a pino level, like info or debug',
    )
    .default('info'),
});

type Settings = z.output<typeof Environment>;

export type Config = ReturnType<typeof readConfig>;

/** The message names every fault of the configuration at once. */
export class ConfigError extends OperatorError {}

/**
 * Reads the whole environment once. An empty variable counts as absent. `NAME_FILE=path` gives the value of NAME.
 * @throws ConfigError that names every fault.
 */
export function readConfig(environment: NodeJS.ProcessEnv) {
  const { values, faults } = collect(environment, Environment);
  const master_key = findMasterKey(environment, 'MASTER_KEY');
  const previous_key = findMasterKey(environment, 'MASTER_KEY_PREVIOUS');
  faults.push(...master_key.faults, ...previous_key.faults);
  if (previous_key.source && !master_key.source)
    faults.push('MASTER_KEY_PREVIOUS is for a rotation: set MASTER_KEY or MASTER_KEY_FILE to the new key');
  if (environment.TREASURY_SEED)
    faults.push(
      'TREASURY_SEED is not read: put the seed into a file, and set TREASURY_SEED_FILE to its path',
    );
  const parsed = Environment.safeParse(values);
  faults.push(...faultsOf(parsed.error));
  if (parsed.success) {
    faults.push(...contradictions(parsed.data, master_key.source !== null));
    faults.push(...keyProviderFaults(parsed.data, environment));
  }
  if (faults.length > 0 || !parsed.success) throw invalid(faults);
  /** Where the master keys are; their bytes are never part of the configuration. */
  const sources = { master_key: master_key.source, master_key_previous: previous_key.source };
  /** What wraps the data keys of seeds; null: nothing, the master key alone seals them. */
  const key_provider = keyProviderConfig(parsed.data, environment);
  return Object.freeze({ ...configOf(parsed.data), ...sources, key_provider });
}

const SandboxEnvironment = Environment.pick({
  DATA_DIR: true,
  SANDBOX_PORT: true,
  SANDBOX_CLOSE_MS: true,
  SANDBOX_STEP_MS: true,
  LOG_LEVEL: true,
});

/**
 * Reads the variables of `teller sandbox`. Values of the service's other variables are not checked: the sandbox starts
 * without a valid configuration of the service. @throws ConfigError that names every fault and every misspelt name.
 */
export function readSandboxConfig(environment: NodeJS.ProcessEnv) {
  const { values, faults } = collect(environment, SandboxEnvironment);
  const parsed = SandboxEnvironment.safeParse(values);
  if (faults.length > 0 || !parsed.success) throw invalid([...faults, ...faultsOf(parsed.error)]);
  return {
    data_dir: resolve(parsed.data.DATA_DIR),
    port: parsed.data.SANDBOX_PORT ?? DEFAULT_SANDBOX_PORT,
    close_ms: parsed.data.SANDBOX_CLOSE_MS,
    step_ms: parsed.data.SANDBOX_STEP_MS,
    log_level: parsed.data.LOG_LEVEL,
  };
}

const ClientEnvironment = Environment.pick({ PORT: true }).extend({
  API_URL: z.string().refine(isHttpUrl, 'must be an http(s) URL').optional(),
  API_KEY: z.string('is required: the API key of the wallet'),
});

/**
 * Reads the variables of a client of the API. The API key is no command line option, because every user of the machine
 * can see those. @throws ConfigError
 */
export function readClientConfig(environment: NodeJS.ProcessEnv): { api_url: string; api_key: string } {
  const { values, faults } = collect(environment, ClientEnvironment);
  const parsed = ClientEnvironment.safeParse(values);
  if (faults.length > 0 || !parsed.success) throw invalid([...faults, ...faultsOf(parsed.error)]);
  const { PORT, API_URL = `http://127.0.0.1:${PORT}`, API_KEY } = parsed.data;
  return { api_url: API_URL, api_key: API_KEY };
}

/** Fills in the defaults that depend on the network. */
function configOf(settings: Settings) {
  const network = NETWORKS[settings.STELLAR_NETWORK];
  const sandbox = settings.STELLAR_NETWORK === 'sandbox';
  return {
    host: settings.HOST,
    port: settings.PORT,
    metrics_port: settings.METRICS_PORT ?? DEFAULT_METRICS_PORT,
    metrics_port_fixed: settings.METRICS_PORT !== undefined,
    data_dir: resolve(settings.DATA_DIR),
    database_url: settings.DATABASE_URL,
    migration_database_url: settings.MIGRATION_DATABASE_URL,
    network: settings.STELLAR_NETWORK as NetworkName,
    passphrase: settings.NETWORK_PASSPHRASE ?? network.passphrase,
    api_key_prefix: network.key_prefix,
    /** Both lists are empty when `serve` starts its own sandbox. */
    rpc_urls: rpcUrls(settings),
    horizon_urls: settings.HORIZON_URL,
    sandbox_port: settings.SANDBOX_PORT ?? DEFAULT_SANDBOX_PORT,
    sandbox_port_fixed: settings.SANDBOX_PORT !== undefined,
    sandbox_close_ms: settings.SANDBOX_CLOSE_MS,
    sandbox_step_ms: settings.SANDBOX_STEP_MS,
    admin:
      settings.ADMIN_EMAIL && settings.ADMIN_PASSWORD
        ? { email: settings.ADMIN_EMAIL, password: settings.ADMIN_PASSWORD }
        : null,
    key_cache_seconds: settings.KEY_CACHE_SECONDS,
    key_journal: settings.KEY_JOURNAL,
    /** Where the embedded database archives its log. */
    backup_wal_dir: settings.BACKUP_WAL_DIR,
    /** Where people and programs reach the service: scheme, host and port, without a path. Passkeys are for its host name. */
    public_url: settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`,
    /** Blocks of proxies whose headers about the client are believed. */
    trusted_proxies: settings.TRUSTED_PROXIES,
    jwt_ttl_seconds: settings.JWT_TTL_SECONDS,
    session_idle_seconds: settings.SESSION_IDLE_SECONDS,
    session_max_seconds: settings.SESSION_MAX_SECONDS,
    create_missing_accounts: settings.CREATE_MISSING_ACCOUNTS,
    channels_max: settings.CHANNELS_MAX,
    treasury_seed_file: settings.TREASURY_SEED_FILE,
    /** Who pays the fee of a payment through a channel. */
    channel_fees: settings.CHANNEL_FEES,
    /** What the treasury pays for all wallets: the fees of their transactions, the reserves of their trust lines. */
    treasury_pays: settings.TREASURY_PAYS,
    treasury_team_daily_stroops: BigInt(settings.TREASURY_TEAM_DAILY_STROOPS),
    fee_max_stroops: BigInt(settings.FEE_MAX_STROOPS),
    contract_fee_max_stroops: BigInt(settings.CONTRACT_FEE_MAX_STROOPS),
    withdraw_valid_seconds: settings.WITHDRAW_VALID_SECONDS ?? (sandbox ? 30 : 90),
    withdraw_wait_seconds: settings.WITHDRAW_WAIT_SECONDS ?? (sandbox ? 45 : 120),
    policy_delay_seconds: settings.POLICY_DELAY_SECONDS ?? (sandbox ? 0 : 86_400),
    webhook_allowed_hosts: settings.WEBHOOK_ALLOWED_HOSTS,
    webhook_retry_seconds: settings.WEBHOOK_RETRY_SECONDS,
    webhook_log_days: settings.WEBHOOK_LOG_DAYS,
    /** The server that sends mails, and their sender; null: no mail is sent. */
    mail:
      settings.SMTP_URL && settings.MAIL_FROM
        ? { smtp_url: settings.SMTP_URL, from: settings.MAIL_FROM }
        : null,
    issuer_lookups: settings.ISSUER_LOOKUPS,
    /** What each team may have. `waiting`: requests in this process that wait for an outcome or an event. */
    team_quotas: {
      wallets: settings.TEAM_WALLETS_MAX,
      addresses: settings.TEAM_ADDRESSES_MAX,
      waiting: settings.TEAM_WAITING_MAX,
      requests_per_minute: settings.TEAM_REQUESTS_PER_MINUTE,
    },
    /** Null: nothing is traced. */
    traces: traceSettings(settings),
    log_level: settings.LOG_LEVEL,
  };
}

function traceSettings(settings: Settings): TraceSettings | null {
  const endpoint = settings.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined || settings.OTEL_SDK_DISABLED) return null;
  return {
    url: tracesUrl(endpoint),
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS,
    resource: { ...settings.OTEL_RESOURCE_ATTRIBUTES, 'service.name': settings.OTEL_SERVICE_NAME },
    sampler: settings.OTEL_TRACES_SAMPLER,
    sampler_ratio: settings.OTEL_TRACES_SAMPLER_ARG,
  };
}

/** Returns the URLs of RPCs. The default one of the network is used only when no source is configured. */
function rpcUrls({ STELLAR_RPC_URL, HORIZON_URL, STELLAR_NETWORK }: Settings): string[] {
  if (STELLAR_RPC_URL) return STELLAR_RPC_URL;
  const { rpc_url } = NETWORKS[STELLAR_NETWORK];
  return rpc_url && HORIZON_URL.length === 0 ? [rpc_url] : [];
}

function faultsOf(error: z.ZodError | undefined): string[] {
  return (error?.issues ?? []).map((issue) => `${issue.path.join('.')} ${issue.message}`);
}

function invalid(faults: string[]): ConfigError {
  return new ConfigError(
    `The configuration is not valid:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
  );
}

function contradictions(settings: Settings, has_master_key: boolean): string[] {
  const faults: string[] = [];
  if (settings.DATABASE_URL && !has_master_key) {
    faults.push('MASTER_KEY is required with DATABASE_URL (make one: openssl rand -base64 32)');
  }
  if (settings.MIGRATION_DATABASE_URL && !settings.DATABASE_URL) {
    faults.push('MIGRATION_DATABASE_URL is for the server of DATABASE_URL, which is not set');
  }
  if (settings.BACKUP_WAL_DIR && settings.DATABASE_URL) {
    faults.push(
      'BACKUP_WAL_DIR is for the embedded database: archive the log of the server of DATABASE_URL there (docs/backup.md)',
    );
  }
  if (settings.STELLAR_NETWORK === 'public' && !has_master_key) {
    faults.push('MASTER_KEY is required on the public network (make one: openssl rand -base64 32)');
  }
  if (
    settings.STELLAR_NETWORK === 'public' &&
    !settings.STELLAR_RPC_URL?.length &&
    settings.HORIZON_URL.length === 0
  ) {
    faults.push('STELLAR_RPC_URL or HORIZON_URL is required on the public network');
  }
  if (settings.STELLAR_NETWORK === 'public') {
    for (const name of ['STELLAR_RPC_URL', 'HORIZON_URL'] as const) {
      if (settings[name]?.some(isOpenToAll))
        faults.push(`${name} must begin with https:// on the public network, except for private hosts`);
    }
  }
  if (settings.TREASURY_PAYS.reserves && settings.FEE_MAX_STROOPS < SPONSORED_LINE_STROOPS) {
    faults.push(
      `FEE_MAX_STROOPS must be at least ${SPONSORED_LINE_STROOPS} with TREASURY_PAYS=reserves: a sponsored trust line has three operations`,
    );
  }
  if (Boolean(settings.ADMIN_EMAIL) !== Boolean(settings.ADMIN_PASSWORD)) {
    faults.push('ADMIN_EMAIL and ADMIN_PASSWORD must be set together');
  }
  if (Boolean(settings.SMTP_URL) !== Boolean(settings.MAIL_FROM)) {
    faults.push('SMTP_URL and MAIL_FROM must be set together');
  }
  return faults;
}

/** Returns true for plain HTTP to a public host: anybody between could forge the answers of the source. */
function isOpenToAll(text: string): boolean {
  const url = new URL(text);
  return url.protocol === 'http:' && !isPrivateHost(url);
}

/** Every variable that some command reads. */
const NAMES = new Set(
  [
    'MASTER_KEY',
    'MASTER_KEY_PREVIOUS',
    ...Object.keys({ ...Environment.shape, ...ClientEnvironment.shape }),
  ].flatMap((name) => (name.endsWith('_FILE') ? [name] : [name, `${name}_FILE`])),
);
/** Shorter names, like HOST or API_KEY, resemble too many variables of other programs. */
const MIN_GUESSED_LENGTH = 8;
const GUESSED_NAMES = [...NAMES].filter((name) => name.replace(/_FILE$/, '').length >= MIN_GUESSED_LENGTH);

/** Returns our variable that this one was probably meant to be; null when some command reads this one, or when it resembles none. */
function findMeantName(name: string): string | null {
  return NAMES.has(name) || name.length < MIN_GUESSED_LENGTH ? null : nearestName(name, GUESSED_NAMES);
}

/**
 * Returns a fault for each variable that no command reads and that resembles one of ours. Ignored silently, a limit would not be
 * in force.
 */
function findMisspelt(environment: NodeJS.ProcessEnv): string[] {
  return Object.keys(environment).flatMap((name) => {
    const meant = environment[name]?.trim() ? findMeantName(name) : null;
    return meant === null ? [] : [`${name} is not a variable of Stellar Teller. Did you mean ${meant}?`];
  });
}

/** Checks whether the variable changes what a command does: a command reads it, or refuses it as misspelt. */
export function isSetting(name: string): boolean {
  return NAMES.has(name) || findMeantName(name) !== null;
}

/**
 * Picks the variables of this schema; `NAME_FILE` is replaced by the content of the file. Misspelt names are faults
 * for every command, also those of variables that it does not read.
 */
function collect(environment: NodeJS.ProcessEnv, { shape }: z.ZodObject) {
  const values: Record<string, string> = {};
  const faults = findMisspelt(environment);
  for (const name of Object.keys(shape)) {
    const direct = environment[name]?.trim();
    const file = name.endsWith('_FILE') ? undefined : environment[`${name}_FILE`]?.trim();
    if (direct && file) faults.push(`${name} and ${name}_FILE are both set; set only one of them`);
    else if (direct) values[name] = direct;
    else if (file) {
      try {
        values[name] = readFileSync(file, 'utf8').trim();
      } catch (error) {
        faults.push(`${name}_FILE cannot be read: ${(error as Error).message}`);
      }
    }
  }
  return { values, faults };
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function isSmtpUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return false;
  try {
    decodeURIComponent(url.username + url.password);
    return true;
  } catch {
    return false; // a % that encodes nothing
  }
}

function isPostgresUrl(text: string): boolean {
  try {
    return /^postgres(ql)?:\/\//.test(text) && new pg.Client({ connectionString: text }).host !== '';
  } catch {
    return false; // pg cannot read it; without this check it would fail later, with a stack
  }
}

/**
 * Says whether the URL leaves the name of sessions to db/session-names.ts. A name in the URL would win, and a rotation would miss
 * the process.
 */
function leavesSessionName(text: string): boolean {
  // A URL with a user and a socket has no host, and the class URL refuses it.
  return !new URLSearchParams(text.split('?')[1]).has('application_name');
}
