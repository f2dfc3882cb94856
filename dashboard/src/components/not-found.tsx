import { Button, Text } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { capitalized } from '../text/capitalized.ts';
import { Page } from './page.tsx';

/** In place of a page that does not exist, inside the frame if there is one. */
export function NotFound() {
  const { walletId } = useParams({ strict: false });
  return (
    <Page title="Page not found">
      <Text>{walletId ? 'A wallet has no page at this address.' : 'There is no page at this address.'}</Text>
      {walletId ? (
        <Button
          w="fit-content"
          renderRoot={(props) => <Link to="/wallets/$walletId" params={{ walletId }} {...props} />}
        >
          Go to the overview of the wallet
        </Button>
      ) : (
        <ToWallets />
      )}
    </Page>
  );
}

export function WalletNotFound() {
  return (
    <Page title="Wallet not found">
      <Text>This wallet does not exist, or you have no access to it.</Text>
      <ToWallets />
    </Page>
  );
}

function ToWallets() {
  return (
    <Button w="fit-content" renderRoot={(props) => <Link to="/wallets" {...props} />}>
      Go to your wallets
    </Button>
  );
}

const LISTS = {
  deposit: { to: '/wallets/$walletId/transactions', label: 'Go to the transactions' },
  withdrawal: { to: '/wallets/$walletId/transactions', label: 'Go to the transactions' },
  adjustment: { to: '/wallets/$walletId/transactions', label: 'Go to the transactions' },
  'deposit address': { to: '/wallets/$walletId/addresses', label: 'Go to the deposit addresses' },
} as const;

type MissingProps = { walletId: string; what: keyof typeof LISTS; id: string };

/** In place of something that the wallet does not have. */
export function MissingInWallet({ walletId, what, id }: MissingProps) {
  const { to, label } = LISTS[what];
  return (
    <Page title={`${capitalized(what)} not found`}>
      <Text>
        This wallet has no {what} with the id{' '}
        <Text span inherit className="mono whole">
          {id}
        </Text>
        .
      </Text>
      <Button w="fit-content" renderRoot={(props) => <Link to={to} params={{ walletId }} {...props} />}>
        {label}
      </Button>
    </Page>
  );
}
