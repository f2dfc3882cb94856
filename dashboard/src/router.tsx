/** The routes. A page's code is loaded when it is first opened. */
import { Container } from '@mantine/core';
import type { FetchQueryOptions } from '@tanstack/react-query';
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  parseSearchWith,
  redirect,
  stringifySearchWith,
} from '@tanstack/react-router';
import { Suspense } from 'react';
import { assetsQuery } from './api/assets.ts';
import { meQuery } from './api/me.ts';
import { queryClient } from './api/query-client.ts';
import { session, useSession } from './api/session.ts';
import { balancesQuery, statisticsQuery, walletQuery } from './api/wallets.ts';
import { NotFound } from './components/not-found.tsx';
import { readApprovalsSearch } from './pages/approvals/search.ts';
import { readAuditSearch } from './pages/audit/search.ts';
import { readDevelopersSearch, readWebhookSearch } from './pages/developers/search.ts';
import { readOverviewSearch } from './pages/overview/search.ts';
import { readPayeesSearch } from './pages/payees/search.ts';
import { readPayoutSearch } from './pages/payouts/search.ts';
import { readTransactionsSearch } from './pages/transactions/search.ts';
import { PageError } from './shell/page-error.tsx';
import { loadPalette } from './shell/palette/lazy.ts';
import { SessionGate } from './shell/session-gate.tsx';
import { isSignedIn } from './shell/signed-in.ts';

/** The sign-in page does without the code of the frame. */
const Frame = lazyRouteComponent(() => import('./shell/frame.tsx'), 'Frame');

function GatedFrame() {
  return (
    <SessionGate>
      <Frame />
    </SessionGate>
  );
}
GatedFrame.preload = () => Frame.preload?.(); // the router loads the frame beside the page

/** Loads data while the page's code is loading. Nothing waits for it; the page shows its errors. */
function ask<Data>(query: FetchQueryOptions<Data, Error, Data, string[]>): void {
  void queryClient.prefetchQuery(query);
}

const rootRoute = createRootRoute({
  component: Outlet,
  notFoundComponent: Nowhere,
  errorComponent: PageError,
});

/** No route has the address. A visitor without a session sees no frame, which has the <main> elsewhere. */
function Nowhere() {
  if (!useSession())
    return (
      <Container component="main" size="sm" py="xl">
        <NotFound />
      </Container>
    );
  return (
    <SessionGate>
      <Suspense>
        <Frame>
          <NotFound />
        </Frame>
      </Suspense>
    </SessionGate>
  );
}

const login = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: ({ next }: { next?: unknown }) => (typeof next === 'string' ? { next } : {}),
  beforeLoad: async () => {
    if ((await isSignedIn()) && !session.current()?.expired) throw redirect({ to: '/wallets' });
  },
  component: lazyRouteComponent(() => import('./pages/sign-in/sign-in.tsx'), 'SignIn'),
});

const invitation = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./pages/invitation/invitation.tsx'), 'InvitationPage'),
});

const signedIn = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ location }) => {
    if (!(await isSignedIn())) throw redirect({ to: '/login', search: { next: location.href } });
    // For every page: a changed role shows on the next one.
    ask(meQuery);
  },
  component: GatedFrame,
  notFoundComponent: NotFound,
});

const home = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/wallets' });
  },
});

const wallets = createRoute({
  getParentRoute: () => signedIn,
  path: '/wallets',
  component: lazyRouteComponent(() => import('./pages/wallets/wallets.tsx'), 'Wallets'),
});

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: lazyRouteComponent(() => import('./pages/account/account.tsx'), 'Account'),
});

const security = createRoute({
  getParentRoute: () => signedIn,
  path: '/security',
  component: lazyRouteComponent(() => import('./pages/security/security-page.tsx'), 'SecurityPage'),
});

const team = createRoute({
  getParentRoute: () => signedIn,
  path: '/team',
  component: lazyRouteComponent(() => import('./pages/team/team.tsx'), 'TeamPage'),
});

const payees = createRoute({
  getParentRoute: () => signedIn,
  path: '/payees',
  validateSearch: readPayeesSearch,
  component: lazyRouteComponent(() => import('./pages/payees/payees.tsx'), 'Payees'),
});

const payee = createRoute({
  getParentRoute: () => signedIn,
  path: '/payees/$payeeId',
  component: lazyRouteComponent(() => import('./pages/payees/payee.tsx'), 'PayeePage'),
});

const audit = createRoute({
  getParentRoute: () => signedIn,
  path: '/audit',
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import('./pages/audit/audit.tsx'), 'AuditPage'),
});

const approvals = createRoute({
  getParentRoute: () => signedIn,
  path: '/approvals',
  validateSearch: readApprovalsSearch,
  component: lazyRouteComponent(() => import('./pages/approvals/approvals.tsx'), 'Approvals'),
});

const wallet = createRoute({
  getParentRoute: () => signedIn,
  path: '/wallets/$walletId',
  loader: ({ params }) => ask(walletQuery(params.walletId)),
  component: lazyRouteComponent(() => import('./shell/wallet-frame.tsx'), 'WalletFrame'),
  notFoundComponent: NotFound,
});

const inWallet = () => wallet;
const overview = createRoute({
  getParentRoute: inWallet,
  path: '/',
  validateSearch: readOverviewSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ params, deps }) => {
    ask(balancesQuery(params.walletId));
    ask(statisticsQuery(params.walletId, deps.days, deps.asset));
  },
  component: lazyRouteComponent(() => import('./pages/overview/overview.tsx'), 'Overview'),
});
const transactions = createRoute({
  getParentRoute: inWallet,
  path: '/transactions',
  validateSearch: readTransactionsSearch,
  component: lazyRouteComponent(() => import('./pages/transactions/transactions.tsx'), 'Transactions'),
});
const deposit = createRoute({
  getParentRoute: inWallet,
  path: '/deposits/$depositId',
  component: lazyRouteComponent(() => import('./pages/transactions/deposit.tsx'), 'DepositPage'),
});
const withdrawal = createRoute({
  getParentRoute: inWallet,
  path: '/withdrawals/$withdrawalId',
  component: lazyRouteComponent(() => import('./pages/transactions/withdrawal.tsx'), 'WithdrawalPage'),
});
const adjustment = createRoute({
  getParentRoute: inWallet,
  path: '/adjustments/$adjustmentId',
  component: lazyRouteComponent(() => import('./pages/transactions/adjustment.tsx'), 'AdjustmentPage'),
});
const inbox = createRoute({
  getParentRoute: inWallet,
  path: '/inbox',
  component: lazyRouteComponent(() => import('./pages/inbox/inbox.tsx'), 'Inbox'),
});
const addresses = createRoute({
  getParentRoute: inWallet,
  path: '/addresses',
  component: lazyRouteComponent(() => import('./pages/addresses/addresses.tsx'), 'Addresses'),
});
const address = createRoute({
  getParentRoute: inWallet,
  path: '/addresses/$addressId',
  component: lazyRouteComponent(() => import('./pages/addresses/address.tsx'), 'AddressPage'),
});
const withdraw = createRoute({
  getParentRoute: inWallet,
  path: '/withdraw',
  loader: ({ params }) => ask(balancesQuery(params.walletId)),
  component: lazyRouteComponent(() => import('./pages/withdraw/withdraw.tsx'), 'Withdraw'),
});
const payouts = createRoute({
  getParentRoute: inWallet,
  path: '/payouts',
  component: lazyRouteComponent(() => import('./pages/payouts/payouts.tsx'), 'Payouts'),
});
const newPayout = createRoute({
  getParentRoute: inWallet,
  path: '/payouts/new',
  component: lazyRouteComponent(() => import('./pages/payouts/new-payout.tsx'), 'NewPayout'),
});
const payout = createRoute({
  getParentRoute: inWallet,
  path: '/payouts/$payoutId',
  validateSearch: readPayoutSearch,
  component: lazyRouteComponent(() => import('./pages/payouts/payout.tsx'), 'PayoutPage'),
});
const assets = createRoute({
  getParentRoute: inWallet,
  path: '/assets',
  loader: ({ params }) => ask(assetsQuery(params.walletId)),
  component: lazyRouteComponent(() => import('./pages/assets/assets.tsx'), 'Assets'),
});
const policies = createRoute({
  getParentRoute: inWallet,
  path: '/policies',
  component: lazyRouteComponent(() => import('./pages/policies/policies.tsx'), 'Policies'),
});
const developers = createRoute({
  getParentRoute: inWallet,
  path: '/developers',
  validateSearch: readDevelopersSearch,
  component: lazyRouteComponent(() => import('./pages/developers/developers.tsx'), 'Developers'),
});
const webhook = createRoute({
  getParentRoute: inWallet,
  path: '/developers/webhooks/$webhookId',
  validateSearch: readWebhookSearch,
  component: lazyRouteComponent(() => import('./pages/developers/webhook.tsx'), 'WebhookPage'),
});

const inWalletRoutes = [
  overview,
  transactions,
  deposit,
  withdrawal,
  adjustment,
  inbox,
  addresses,
  address,
  withdraw,
  payouts,
  newPayout,
  payout,
  assets,
  policies,
  developers,
  webhook,
];

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    home,
    login,
    invitation,
    signedIn.addChildren([
      wallets,
      account,
      security,
      team,
      payees,
      payee,
      approvals,
      audit,
      wallet.addChildren(inWalletRoutes),
    ]),
  ]),
  caseSensitive: true, // as the service, which would answer 404 for the same page
  scrollRestoration: true,
  defaultPreload: 'intent',
  // A page sees only the parameters that it has validated.
  search: { strict: true },
  // As text, not JSON: a memo id beyond 2^53 would be rounded.
  parseSearch: parseSearchWith((text) => text),
  stringifySearch: stringifySearchWith(JSON.stringify),
});

/** Loads every page's code, so that each page opens while the service is down and shows its error in place. */
export function loadAllPages(): void {
  for (const { options } of Object.values(router.routesById)) void options.component?.preload?.();
  loadPalette();
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
