/** Services that break a rule, of which the oracle must notice each: an outcome that is not the ledger’s, and a payment that nobody approved. The long form has others (broken-*.test.ts). */
import { testBreaches } from './breaches.ts';
import { askingNobody, expiringEarly } from './broken-services.ts';

testBreaches([
  {
    what: 'a service that takes a ledger that closed at a time for proof that the time is over',
    seed: 'expiringEarly',
    first: 23,
    alterDeps: expiringEarly,
    violation: /says \{"status":"failed".* the ledger \{"status":"confirmed"/,
    options: { disaster: 'closed_at_max_time' },
  },
  {
    what: 'a service that asks nobody for approvals',
    seed: 'askingNobody',
    first: 0,
    rewrite: askingNobody,
    violation: /was SIGNED without/,
    options: { approvals: true, storm_ms: 10_000 },
  },
]);
