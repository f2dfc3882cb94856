// Who may import whom (ARCHITECTURE.md, "The folders of src/"). From the top to the floor:
//
//   main.ts → cli/ → api/                               the top: puts the slices together
//   deposits/ withdrawals/ webhooks/                    slices, which do not know each other
//   ledgers/ → wallets/ → payees/ → access/ → approvals/ → auth/ → audit/   slices below them
//   alerts/ → audit/                                    alerts tell what the audit log has
//   http/ → db/ → stellar/ → outgoing/ → lib/, embedded-postgres/, sandbox/, vault/   the floor: knows no slice
//
// Tests may import what they like. Tables have rules of their own: src/db/table-access.test.ts.
/** In order: none knows a slice after it. What is decided about hands itself in to approvals/. */
const LOWER_SLICES = ['audit', 'alerts', 'auth', 'approvals', 'access', 'payees', 'wallets', 'ledgers'];
const ALL_SLICES = [...LOWER_SLICES, 'deposits', 'withdrawals', 'webhooks'];
const SLICES = ALL_SLICES.join('|');
/** What other slices may import of a slice, beside types. */
const DOORS = [
  '^src/audit/audit(-schema)?[.]ts$',
  '^src/auth/keys/api-keys[.]ts$',
  '^src/approvals/',
  '^src/access/changes/',
  '^src/access/quotas/quotas[.]ts$',
  '^src/payees/payees[.]ts$',
  '^src/wallets/access[.]ts$',
  '^src/ledgers/',
  '^src/webhooks/events/enqueue[.]ts$',
];
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
    {
      name: 'no-unresolvable',
      comment: 'The files of test/clients/runtimes run beside the installed package.',
      severity: 'error',
      from: { pathNot: '^test/clients/runtimes/' },
      to: { couldNotResolve: true },
    },
    {
      name: 'nobody-imports-the-top',
      comment: 'main.ts, cli/ and api/ put the rest together, so nothing else imports them.',
      severity: 'error',
      from: { path: '^src/', pathNot: [TOP, TEST] },
      to: { path: TOP },
    },
    {
      name: 'main-then-cli-then-api',
      comment: 'The API runs without a command line.',
      severity: 'error',
      from: { path: '^src/(api|cli)/', pathNot: TEST },
      to: { path: ['^src/main[.]ts$', '^src/cli/'], pathNot: '^src/$1/' },
    },
    {
      name: 'deps-is-a-type',
      comment: 'deps.ts names what cli/ connects. Other code gets it as an argument.',
      severity: 'error',
      from: { path: '^src/', pathNot: [TOP, TEST] },
      to: { path: '^src/deps[.]ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'floor-knows-no-slice',
      severity: 'error',
      from: {
        path: '^src/(http/|db/|embedded-postgres/|sandbox/|stellar/|outgoing/|vault/|lib/|config[.]ts$|key-provider-config[.]ts$|errors[.]ts$|deps[.]ts$)',
        pathNot: TEST,
      },
      to: { path: `^src/(${SLICES})/` },
    },
    {
      name: 'lib-and-vault-stand-alone',
      comment:
        'Tools without a domain; and the code that opens seeds, which must be readable by itself, with its errors.',
      severity: 'error',
      from: { path: '^src/(lib|vault)/', pathNot: ['^src/vault/providers/', TEST] },
      to: { path: '^src/', pathNot: ['^src/$1/', '^src/lib/errors[.]ts$'] },
    },
    {
      name: 'key-providers-stand-on-lib',
      comment: 'They wait for networks and devices, so they need a clock; they see no seed.',
      severity: 'error',
      from: { path: '^src/vault/providers/', pathNot: TEST },
      to: { path: '^src/', pathNot: ['^src/(vault|lib)/'] },
    },
    {
      name: 'key-providers-see-no-seed',
      severity: 'error',
      from: { path: '^src/vault/providers/', pathNot: TEST },
      to: { path: '^src/vault/(vault|seed-file|sealed-bytes)[.]ts$' },
    },
    {
      name: 'outgoing-and-embedded-postgres-stand-on-lib',
      severity: 'error',
      from: { path: '^src/(outgoing|embedded-postgres)/', pathNot: TEST },
      to: { path: '^src/', pathNot: ['^src/$1/', '^src/lib/'] },
    },
    {
      name: 'stellar-stands-on-lib-and-outgoing',
      severity: 'error',
      from: { path: '^src/stellar/', pathNot: TEST },
      to: { path: '^src/', pathNot: ['^src/(stellar|outgoing|lib)/'] },
    },
    {
      name: 'db-stands-on-lib-and-stellar',
      severity: 'error',
      from: { path: '^src/db/', pathNot: TEST },
      to: { path: '^src/', pathNot: ['^src/db/', '^src/(lib|stellar)/'] },
    },
    {
      name: 'only-commands-start-a-database',
      comment: 'Everything else is given a connection, whichever server it is.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/embedded-postgres/', '^src/(main[.]ts$|cli/)', TEST] },
      to: { path: '^src/embedded-postgres/' },
    },
    ...LOWER_SLICES.map((slice, index) => ({
      name: `${slice}-knows-no-slice-above`,
      severity: 'error',
      from: { path: `^src/${slice}/`, pathNot: TEST },
      to: { path: `^src/(${ALL_SLICES.slice(index + 1).join('|')})/` },
    })),
    {
      name: 'the-engine-knows-no-other-room',
      comment:
        'It says by itself what can pay twice. What it asks of other rooms is handed in: engine/hooks.ts.',
      severity: 'error',
      from: { path: '^src/withdrawals/engine/', pathNot: TEST },
      to: { path: '^src/(deposits|withdrawals|webhooks)/', pathNot: '^src/withdrawals/engine/' },
    },
    {
      name: 'upper-slices-do-not-know-each-other',
      comment:
        'deposits, withdrawals and webhooks stand on ledgers. Deposits and withdrawals enqueue their events, that is all.',
      severity: 'error',
      from: { path: '^src/(withdrawals|webhooks)/', pathNot: TEST },
      to: {
        path: '^src/(deposits|withdrawals|webhooks)/',
        pathNot: ['^src/$1/', '^src/webhooks/events/enqueue[.]ts$'],
      },
    },
    {
      name: 'deposits-know-only-enqueue-of-webhooks',
      severity: 'error',
      from: { path: '^src/deposits/', pathNot: TEST },
      to: { path: '^src/(withdrawals|webhooks)/', pathNot: '^src/webhooks/events/enqueue[.]ts$' },
    },
    {
      name: 'only-through-the-door',
      comment: 'From another slice: its doors, and types.',
      severity: 'error',
      from: { path: `^src/(${SLICES})/`, pathNot: ['^src/(approvals|access)/', TEST] },
      to: {
        path: `^src/(${SLICES})/`,
        pathNot: ['^src/$1/', ...DOORS],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'approvals-and-access-know-auth',
      comment: 'auth/ has the rows of members, keys and service users; access/ decides who changes them.',
      severity: 'error',
      from: { path: '^src/(approvals|access)/', pathNot: TEST },
      to: {
        path: `^src/(${SLICES})/`,
        pathNot: ['^src/$1/', '^src/auth/', ...DOORS],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'http-framework-in-routes-only',
      comment: 'A verb can be called by a route, a command or a loop.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/(http|api)/', '/routes[.]ts$', '-routes[.]ts$', TEST],
      },
      to: { path: 'node_modules/(fastify|fastify-[^/]+|@fastify)/' },
    },
    {
      name: 'vault-through-deps-only',
      comment:
        'A function that signs gets the vault as an argument; only its maker and the commands for its shares can open the master key.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          '^src/vault/',
          '^src/deps[.]ts$',
          '^src/cli/(connect|key-share-commands)[.]ts$',
          '^src/api/key-provider[.]ts$',
          TEST,
        ],
      },
      to: {
        path: '^src/vault/',
        pathNot: '^src/vault/master-keys/master-key[.]ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'master-key-opened-once',
      comment:
        'The configuration checks the key without keeping it; only the maker of the vault and the commands for its shares open it.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/vault/', '^src/config[.]ts$', '^src/cli/(connect|key-share-commands)[.]ts$', TEST],
      },
      to: { path: '^src/vault/master-keys/master-key[.]ts$' },
    },
    {
      name: 'sodium-in-vault-only',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/vault/', TEST] },
      to: { path: 'node_modules/sodium-native/' },
    },
    {
      name: 'stellar-sdk-with-all-arms',
      comment:
        'A file that imports the SDK past protocol/sdk.ts cannot read the network of today. stellar/ hides the SDK from the rest.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/stellar/protocol/', TEST] },
      to: { path: 'node_modules/@stellar/' },
    },
    {
      name: 'stellar-sdk-below-stellar-only',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/stellar/', TEST] },
      to: { path: '^src/stellar/protocol/(sdk|missing-arms)[.]ts$' },
    },
    {
      name: 'outgoing-http-in-stellar-and-webhooks-only',
      comment:
        'Each of these has its own rules of whom it may connect to; outgoing/ has those for hosts that others name. http/ and metrics-server.ts listen.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          '^src/(stellar|outgoing|webhooks|http)/',
          '^src/vault/providers/aws-request[.]ts$',
          '^src/api/metrics-server[.]ts$',
          TEST,
        ],
      },
      to: {
        path: ['node_modules/undici/', '^(node:)?(https?|http2|tls|dgram)$'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'opentelemetry-in-traces-only',
      comment: 'A process that traces nothing must not load it. Spans are made through lib/traces.ts.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/lib/traces/(otel-traces|span-queue)[.]ts$', TEST] },
      to: { path: 'node_modules/@opentelemetry/' },
    },
    {
      name: 'opentelemetry-loaded-where-it-is-wanted',
      severity: 'error',
      from: { path: '^src/', pathNot: TEST },
      to: { path: '^src/lib/traces/otel-traces[.]ts$', dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'service-knows-no-tests-or-tools',
      comment: 'What runs in production is in src/ and in its dependencies.',
      severity: 'error',
      from: { path: '^src/', pathNot: TEST },
      to: { path: '^(test|bench|scripts|dashboard)/' },
    },
    {
      name: 'service-needs-no-development-packages',
      severity: 'error',
      from: { path: '^src/', pathNot: TEST },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'dashboard-knows-the-api-only',
      severity: 'error',
      from: { path: '^dashboard/' },
      to: { path: '^(src|sandbox|test)/' },
    },
    {
      name: 'clients-know-the-api-only',
      comment: 'Each is a package of its own, without dependencies, and runs in browsers too.',
      severity: 'error',
      from: { path: '^clients/', pathNot: TEST },
      to: { pathNot: '^clients/' },
    },
    {
      name: 'nobody-imports-a-client',
      comment:
        'But for its tests, for its generator, which must agree with it about integers, and for the dashboard: it takes the contract of the client and its names of exact integers.',
      severity: 'error',
      from: {
        path: '^(src|sandbox|dashboard|bench)/',
        pathNot: '^dashboard/src/api/(contract|exact-json)[.]ts$',
      },
      to: { path: '^clients/' },
    },
    {
      name: 'dashboard-takes-the-contract-only',
      comment: 'A built dashboard is built again when these files are newer (bin/bundled-node.js).',
      severity: 'error',
      from: { path: '^dashboard/src/api/(contract|exact-json)[.]ts$' },
      to: { path: '^clients/', pathNot: '^clients/typescript/src/(contract|exact-name)[.]ts$' },
    },
    {
      name: 'src-knows-no-sandbox',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/sandbox/' },
      to: { path: '^sandbox/', pathNot: '^sandbox/testing/' },
    },
    {
      name: 'only-the-top-starts-a-sandbox',
      comment:
        'Commands start the network, and the API gives test money of it. Both load it when it is needed.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/sandbox/', TOP, TEST] },
      to: { path: '^src/sandbox/' },
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
    // What `npm run build` writes is there on some machines only; the rules are about its sources.
    doNotFollow: { path: ['node_modules', '^clients/typescript/dist'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
