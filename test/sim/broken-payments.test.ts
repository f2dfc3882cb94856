/** Services that pay, or book, what the ledger does not say: the oracle must notice each. */
import { testBreaches } from './breaches.ts';
import {
  believingTransfers,
  bookingToWallets,
  chargingWallets,
  forgettingSpending,
  rebuilding,
} from './broken-services.ts';

testBreaches([
  {
    what: 'a service that builds another envelope when a node refuses one',
    seed: 'rebuilding',
    first: 0,
    alterDeps: rebuilding,
    violation: /PAID/,
  },
  {
    what: 'a service that takes every transfer to a contract in a ledger for paid',
    seed: 'believing',
    first: 7,
    rewrite: believingTransfers,
    violation: /moved \[\], not/,
    options: { env: { FEE_MAX_STROOPS: '1000000', CONTRACT_FEE_MAX_STROOPS: '1000000' } },
  },
  {
    what: 'a service that books to a wallet the fees of the treasury',
    seed: 'booking',
    first: 0,
    rewrite: bookingToWallets,
    violation: /the books of wallet/,
    options: { env: { TREASURY_PAYS: 'fees' } },
  },
  {
    what: 'a service whose wallets pay what the treasury is to pay',
    seed: 'charging',
    first: 0,
    alterDeps: chargingWallets,
    violation: /a wallet paid a fee, and the treasury pays all/,
    options: { env: { TREASURY_PAYS: 'fees,reserves' } },
  },
  {
    what: 'a service that forgets what the treasury has paid for a team',
    seed: 'budgets',
    first: 0,
    rewrite: forgettingSpending,
    violation: /paid .* for the team .* in a day/,
    options: { env: { TREASURY_PAYS: 'fees', TREASURY_TEAM_DAILY_STROOPS: '5000' } },
  },
]);
