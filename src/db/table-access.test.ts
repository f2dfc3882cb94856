/** Who reads and writes which table, by the statements in src/ and the views in migrations/schema.sql. */
import { strict as assert } from 'node:assert';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const SRC = join(import.meta.dirname, '..');
const SCHEMA = readFileSync(join(SRC, '..', 'migrations', 'schema.sql'), 'utf8');

/** The folder of the owner is the slice; the files are those that write. */
const WRITERS: Record<string, string[]> = {
  leaderships: ['db/leadership.ts'],
  installation: ['db/installation.ts', 'db/master-keys.ts', 'db/key-providers.ts'],
  key_providers: ['db/key-providers.ts'],
  master_keys: ['db/master-keys.ts'],
  // A migration is recorded; one that contracts the schema is announced before.
  migrations: ['db/migrate.ts', 'db/older-sessions.ts'],
  idempotent_requests: ['db/idempotent-requests.ts'],
  audit_log: ['audit/audit-store.ts'],
  audit_heads: ['audit/audit-store.ts'],
  alert_settings: ['alerts/settings-store.ts'],
  alert_old_webhooks: ['alerts/settings-store.ts'],
  alert_thresholds: ['alerts/settings-store.ts'],
  alert_cursors: ['alerts/alert-store.ts'],
  alerts: ['alerts/alert-store.ts'],
  // What the operator does to users is in a file of its own. A new session is the last login of its user.
  users: [
    'auth/users/user-store.ts',
    'auth/users/operator-store.ts',
    'auth/sessions/session-store.ts',
    'auth/factors/factor-store.ts',
  ],
  sessions: ['auth/users/user-store.ts', 'auth/users/operator-store.ts', 'auth/sessions/session-store.ts'],
  login_failure_counts: ['auth/passwords/failure-count-store.ts'],
  api_keys: ['auth/keys/api-key-store.ts'],
  second_factors: ['auth/factors/factor-store.ts'],
  recovery_codes: ['auth/factors/factor-store.ts'],
  factor_challenges: ['auth/factors/factor-store.ts'],
  service_users: ['auth/service-users/service-user-store.ts'],
  known_passwords: ['auth/users/known-password-store.ts'],
  service_user_credentials: ['auth/service-users/service-user-store.ts'],
  service_user_secrets: ['auth/service-users/service-user-store.ts'],
  service_user_tokens: ['auth/service-users/service-token-store.ts'],
  used_assertions: ['auth/service-users/service-token-store.ts'],
  teams: ['auth/teams/team-store.ts'],
  team_members: ['auth/teams/team-store.ts'],
  team_invitations: ['access/teams/invitation-store.ts'],
  invitation_mails: ['access/teams/invitation-store.ts'],
  decided_changes: ['approvals/decided-change-store.ts'],
  access_changes: ['access/changes/access-change-store.ts'],
  team_usage: ['access/quotas/quota-store.ts'],
  treasury_budgets: ['withdrawals/channels/treasury-budgets.ts'],
  payees: ['payees/payee-store.ts'],
  wallets: ['wallets/store.ts'],
  withdrawal_cursor: ['ledgers/withdrawal-cursor.ts'],
  unmatched_transactions: ['ledgers/unmatched-store.ts'],
  deposit_cursor: ['ledgers/deposit-cursor.ts'],
  deposit_positions: ['ledgers/deposit-cursor.ts'],
  deposit_addresses: ['deposits/addresses/address-store.ts'],
  replaced_metadata: ['deposits/addresses/address-store.ts'],
  address_activity: ['deposits/addresses/address-store.ts', 'deposits/recorded/deposit-store.ts'],
  deposits: ['deposits/recorded/deposit-store.ts'],
  deposit_minimums: ['deposits/minimums/minimum-store.ts'],
  adjustments: ['deposits/recorded/adjustment-store.ts'],
  unread_wallets: ['ledgers/quarantine-store.ts'],
  quarantined_transactions: ['ledgers/quarantine-store.ts'],
  reconciliations: ['deposits/reconcile/reconcile-store.ts'],
  // Rows, statuses and outcomes; the lease; the transaction source, which changes in one statement with tx_sources.
  withdrawals: [
    'withdrawals/engine/store.ts',
    'withdrawals/engine/awaiting-store.ts',
    'withdrawals/engine/leases.ts',
    'withdrawals/engine/tx-source-store.ts',
  ],
  withdrawal_days: ['withdrawals/engine/store.ts'],
  tx_sources: ['withdrawals/engine/tx-source-store.ts'],
  treasury: ['withdrawals/channels/channel-store.ts'],
  channels: ['withdrawals/channels/channel-store.ts'],
  payouts: ['withdrawals/payouts/payout-store.ts'],
  payout_rows: ['withdrawals/payouts/payout-row-store.ts'],
  wallet_policies: ['withdrawals/policies/policy-store.ts'],
  policy_changes: ['withdrawals/policies/change-store.ts'],
  webhook_endpoints: ['webhooks/store/endpoint-store.ts', 'webhooks/store/endpoint-health-store.ts'],
  webhook_old_secrets: ['webhooks/store/endpoint-store.ts'],
  webhook_events: ['webhooks/store/event-store.ts'],
  webhook_sequences: ['webhooks/store/event-store.ts'],
  webhook_deliveries: ['webhooks/store/delivery-store.ts'],
  webhook_attempts: ['webhooks/store/delivery-store.ts'],
};

/** The function that writes tables, by the tables: its name in a statement counts as a write of them. */
const WRITTEN_BY: Record<string, string[]> = { append_audit: ['audit_heads', 'audit_log'] };

/** Views, functions that give rows, and tables that only triggers write: the slice that owns each, and for whom it is there. */
const DOORS: Record<string, { owner: string; readers: Record<string, string> }> = {
  audit_tails: { owner: 'audit', readers: { alerts: 'which chains have new entries' } },
  audit_entries: { owner: 'audit', readers: { alerts: 'what an alert tells' } },
  user_addresses: { owner: 'auth', readers: { alerts: 'whom mails go to' } },
  member_roles: { owner: 'auth', readers: { alerts: 'who gets the mails of a team' } },
  team_names: {
    owner: 'auth',
    readers: { alerts: 'the name of the team in a mail', withdrawals: 'whether a team with a budget exists' },
  },
  wallet_accounts: {
    owner: 'wallets',
    readers: {
      deposits: 'which accounts are credited, what account an address belongs to, which books to compare',
      withdrawals: 'which wallet pays with its own account, and which transactions are outgoing',
    },
  },
  wallet_keys: { owner: 'wallets', readers: { withdrawals: 'signs' } },
  wallet_owners: {
    owner: 'wallets',
    readers: {
      withdrawals: 'whose key a forgotten payment has paid',
      ledgers: 'the same, for transactions that no withdrawal has',
      payees: 'whose allow lists may have a payee',
      auth: 'which wallets a member can be limited to, whether a team has any, and its lock',
      approvals: 'whose members approve',
      webhooks: 'which endpoints of a team a service user has registered',
    },
  },
  address_labels: {
    owner: 'deposits',
    readers: {
      wallets: 'the search in the list of transactions',
      webhooks: 'whose deposit a delivery tells of',
    },
  },
  deposit_movements: {
    owner: 'deposits',
    readers: { wallets: 'one list of transactions, and a wallet with deposits is active' },
  },
  deposit_days: { owner: 'deposits', readers: { wallets: 'statistics' } },
  adjustment_movements: {
    owner: 'deposits',
    readers: { wallets: 'one list of transactions, and statistics' },
  },
  refundable_deposits: { owner: 'deposits', readers: { withdrawals: 'a refund pays a deposit back' } },
  lock_deposits: {
    owner: 'deposits',
    readers: { withdrawals: 'a deposit is refunded or assigned, not both' },
  },
  approval_needs: {
    owner: 'withdrawals',
    readers: {
      approvals:
        'no member leaves whom a wallet needs for its approvals, and which changes of access need approvals',
    },
  },
  known_payees: { owner: 'payees', readers: { withdrawals: 'the payee of a withdrawal' } },
  allowed_destinations: {
    owner: 'withdrawals',
    readers: { payees: 'a payee of an allow list is not deleted' },
  },
  payments_to_destinations: {
    owner: 'withdrawals',
    readers: { payees: 'whether a new payee was paid before' },
  },
  payee_payments: { owner: 'withdrawals', readers: { payees: 'what a payee was paid' } },
  refunds: { owner: 'withdrawals', readers: { deposits: 'a refunded deposit leaves the inbox' } },
  withdrawal_movements: {
    owner: 'withdrawals',
    readers: {
      wallets: 'one list of transactions, and what is in flight',
      deposits: 'what a rewind finds again',
    },
  },
  withdrawal_bookings: {
    owner: 'withdrawals',
    readers: { deposits: 'the books of a wallet have both sides, and fees' },
  },
  withdrawal_days: { owner: 'withdrawals', readers: { wallets: 'statistics, and the fees in them' } },
  fees_in_flight: {
    owner: 'withdrawals',
    readers: { wallets: 'what is available, less what contract transfers declare' },
  },
  wallet_assets: {
    owner: 'withdrawals',
    readers: {
      wallets: 'whose balances are shown',
      deposits: 'whose balances are compared',
    },
  },
};

/** `table: 'name'` is how a slice gives a table of its own to db/sealed-rows.ts. */
const WRITE = /\b(?:(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*|table: )'(\w+)/g;
const READ = /\b(?:selectFrom|(?:inner|left|right|full|cross)Join(?:Lateral)?|using)\(\s*'(\w+)/g;
const RAW_WRITE =
  /\b(?:insert into|update|delete from|truncate(?: table)?|merge into|from(?=\s+append_audit\())\s+(?:only\s+)?(\w+)/gi;
const RAW_READ = /\b(?:from|join|using)\s+(?:only\s+)?(\w+)/gi;
/** A name that is put together, and a table behind a comma: this test would not see either. */
const HIDDEN = [
  /\b(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(\s*(?!['(])\S+/g,
  /\bsql\.(?:table|id)\([^)]*\)/g,
  new RegExp(
    `,\\s*(?:${[...Object.keys(WRITERS), ...Object.keys(DOORS)].join('|')})\\s+(?:\\w+\\s+)?(?:where|on|set|join)\\b`,
    'gi',
  ),
];

/** Its callers name the tables. */
const MAY_HIDE = 'db/sealed-rows.ts';

type File = { path: string; slice: string; text: string };

const files: File[] = globSync('**/*.ts', { cwd: SRC })
  .filter((path) => !path.endsWith('.test.ts') && path !== 'db/tables.ts')
  .map((path) => ({
    path,
    slice: path.split('/')[0] ?? '',
    text: withoutComments(readFileSync(join(SRC, path), 'utf8')),
  }));

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '');
}

function namesIn(text: string, ...patterns: RegExp[]): string[] {
  const named = patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => name ?? ''));
  const names = named.flatMap((name) => WRITTEN_BY[name] ?? [name]);
  return [...new Set(names)].filter((name) => name in WRITERS || name in DOORS);
}

function ownerOf(table: string): string {
  return DOORS[table]?.owner ?? WRITERS[table]?.[0]?.split('/')[0] ?? assert.fail(table);
}

test('every table, view and function with rows has an owner', () => {
  const made =
    /^create (?:table|view) (\w+)|^CREATE OR REPLACE FUNCTION public\.(\w+)\([^)]*\)\n RETURNS SETOF/gm;
  const known = [...SCHEMA.matchAll(made)].map(([, relation, routine]) => relation ?? routine);
  assert.deepEqual(new Set(known), new Set([...Object.keys(WRITERS), ...Object.keys(DOORS)]));
});

test('a table is written by the files of its owner that are named for it, and by each of them', () => {
  const written = Map.groupBy(
    files.flatMap(({ path, text }) => namesIn(text, WRITE, RAW_WRITE).map((table) => ({ table, path }))),
    ({ table }) => table,
  );
  const found = [...written].map(([table, by]) => [table, by.map(({ path }) => path).sort()]);
  const wanted = Object.entries(WRITERS).map(([table, paths]) => [table, [...paths].sort()]);
  assert.deepEqual(Object.fromEntries(found), Object.fromEntries(wanted));
  for (const paths of Object.values(WRITERS))
    assert.equal(new Set(paths.map((path) => path.split('/')[0])).size, 1, 'one slice owns a table');
});

test('a slice reads its own tables, and of another slice the views that are there for it', () => {
  const foreign = files.flatMap(({ path, slice, text }) =>
    namesIn(text, READ, RAW_READ)
      .filter((table) => ownerOf(table) !== slice)
      .map((table) => ({ path, slice, table })),
  );
  const forbidden = foreign.filter(({ slice, table }) => !DOORS[table]?.readers[slice]);
  assert.deepEqual(forbidden, []);
  const used = new Set(foreign.map(({ slice, table }) => `${slice} ${table}`));
  const unused = Object.entries(DOORS).flatMap(([table, { readers }]) =>
    Object.keys(readers).filter((slice) => !used.has(`${slice} ${table}`)),
  );
  assert.deepEqual(unused, [], 'a view that nobody reads any more');
});

test('a view shows tables of its owner only', () => {
  for (const [, view, definition] of SCHEMA.matchAll(/^create view (\w+) as\n([^;]*);/gm)) {
    const owners = namesIn(definition ?? '', RAW_READ).map(ownerOf);
    assert.deepEqual([...new Set(owners)], [ownerOf(view ?? '')], view);
  }
});

test('no statement hides the name of a table from this test', () => {
  const hidden = files
    .filter(({ path }) => path !== MAY_HIDE)
    .flatMap(({ path, text }) =>
      HIDDEN.flatMap((pattern) => (text.match(pattern) ?? []).map((found) => `${path}: ${found}`)),
    );
  assert.deepEqual(hidden, []);
});

test('each of these statements would be found', () => {
  const reads = [
    `db.selectFrom('wallets as w')`,
    `.leftJoin('wallets', 'a', 'b')`,
    'sql`select 1 from wallets`',
    'exists (select from x join\n  wallets on true)',
  ];
  const writes = [
    `sealedRows({ kind: 'wallets', table: 'wallets', column: 'sealed_seed' })`,
    `.insertInto('wallets')`,
    `.updateTable(\n'wallets')`,
    'insert into wallets (id)',
    'UPDATE wallets set',
    'delete from wallets',
    'truncate wallets',
  ];
  for (const text of reads) assert.deepEqual(namesIn(text, READ, RAW_READ), ['wallets'], text);
  for (const text of writes) assert.deepEqual(namesIn(text, WRITE, RAW_WRITE), ['wallets'], text);
  for (const text of ['db.selectFrom(table)', 'sql.table(name)', 'from unnest(x) as y, wallets\n where'])
    assert.ok(
      HIDDEN.some((pattern) => new RegExp(pattern, 'i').test(text)),
      text,
    );
});
