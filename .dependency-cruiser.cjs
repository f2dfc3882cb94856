// The rules of ARCHITECTURE.md ("Rules"), so that a reader can rely on them.
const SLICES = 'auth|wallets|ledgers|deposits|withdrawals|webhooks';
const TOP = '^src/(main[.]ts$|cli/|api/)';
const TEST = '[.]test[.]ts$';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Types too: two files that need each other can only be read together.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'nobody-imports-the-top',
      comment: 'main, cli and api are imported by each other only; deps.ts is a type for everyone.',
      severity: 'error',
      from: { path: '^src/', pathNot: [TOP, TEST] },
      to: { path: TOP },
    },
    {
      name: 'deps-is-a-type',
      severity: 'error',
      from: { path: '^src/', pathNot: [TOP, TEST] },
      to: { path: '^src/deps[.]ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'floor-knows-no-slice',
      severity: 'error',
      from: {
        path: '^src/(http|db|embedded-postgres|stellar|vault|lib|config[.]ts|errors[.]ts)',
        pathNot: TEST,
      },
      to: { path: `^src/(${SLICES})/` },
    },
    {
      name: 'auth-stands-alone',
      severity: 'error',
      from: { path: '^src/auth/', pathNot: TEST },
      to: { path: '^src/(wallets|ledgers|deposits|withdrawals|webhooks)/' },
    },
    {
      name: 'wallets-stand-on-auth',
      severity: 'error',
      from: { path: '^src/wallets/', pathNot: TEST },
      to: { path: '^src/(ledgers|deposits|withdrawals|webhooks)/' },
    },
    {
      name: 'ledgers-stand-on-wallets',
      severity: 'error',
      from: { path: '^src/ledgers/', pathNot: TEST },
      to: { path: '^src/(deposits|withdrawals|webhooks)/' },
    },
    {
      name: 'upper-slices-do-not-know-each-other',
      comment:
        'deposits, withdrawals and webhooks stand on ledgers; only webhooks/enqueue.ts is open to the others.',
      severity: 'error',
      from: { path: '^src/(deposits|withdrawals|webhooks)/', pathNot: TEST },
      to: {
        path: '^src/(deposits|withdrawals|webhooks)/',
        pathNot: ['^src/$1/', '^src/webhooks/enqueue[.]ts$'],
      },
    },
    {
      name: 'only-through-the-door',
      comment:
        'From another slice: auth/api-keys.ts, wallets/access.ts, webhooks/enqueue.ts, all of ledgers/, and types.',
      severity: 'error',
      from: { path: `^src/(${SLICES})/`, pathNot: TEST },
      to: {
        path: `^src/(${SLICES})/`,
        pathNot: [
          '^src/$1/',
          '^src/auth/api-keys[.]ts$',
          '^src/wallets/access[.]ts$',
          '^src/ledgers/',
          '^src/webhooks/enqueue[.]ts$',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'verbs-know-no-http-framework',
      severity: 'error',
      from: { path: `^src/(${SLICES})/`, pathNot: ['/routes[.]ts$', '-routes[.]ts$', TEST] },
      to: { path: 'node_modules/(fastify|@fastify)/' },
    },
    {
      name: 'vault-is-for-those-who-sign',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/vault/', '^src/deps[.]ts$', '^src/cli/connect[.]ts$', TEST],
      },
      to: { path: '^src/vault/' },
    },
    {
      name: 'stellar-sdk-below-stellar-only',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/stellar/', TEST] },
      to: { path: 'node_modules/@stellar/' },
    },
    {
      name: 'outbound-http-below-stellar-and-webhooks-only',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/stellar/', '^src/webhooks/', TEST] },
      to: { path: 'node_modules/undici/' },
    },
    {
      name: 'dashboard-knows-the-api-only',
      severity: 'error',
      from: { path: '^dashboard/' },
      to: { path: '^(src|sandbox|test)/' },
    },
    {
      name: 'src-knows-no-sandbox',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/sandbox-network[.]ts$' },
      to: { path: '^sandbox/', pathNot: '^sandbox/testing/' },
    },
    {
      name: 'sandbox-stands-alone',
      comment: 'A workspace of its own, tests included: whoever takes the folder has all of it.',
      severity: 'error',
      from: { path: '^sandbox/' },
      to: { path: '^(src|test|bench|scripts|dashboard)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
