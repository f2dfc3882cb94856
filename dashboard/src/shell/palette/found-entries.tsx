/** What the service has found, as lines of the palette. */
import {
  IconAddressBook,
  IconArrowDownLeft,
  IconArrowUpRight,
  IconAt,
  IconCoins,
  IconFileSpreadsheet,
  IconGavel,
  IconListSearch,
  IconSend,
  IconWallet,
  IconWebhook,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { DataOf } from '../../api/operations.ts';
import { Amount } from '../../components/amount.tsx';
import { shortened } from '../../components/copy.tsx';
import { assetName } from '../../text/asset.ts';
import { isolated } from '../../text/isolate.ts';
import { explains } from './actions.ts';
import type { Entry, Target } from './entry.ts';

type Found = DataOf<'searchWallets'>['items'][number];
type Kind = Found['kind'];

const KINDS: Record<Kind, { group: string; word: string; icon: Entry['icon'] }> = {
  wallet: { group: 'Wallets', word: 'Wallet', icon: IconWallet },
  payee: { group: 'Payees', word: 'Payee', icon: IconAddressBook },
  address: { group: 'Deposit addresses', word: 'Deposit address', icon: IconAt },
  deposit: { group: 'Transactions', word: 'Deposit', icon: IconArrowDownLeft },
  withdrawal: { group: 'Transactions', word: 'Withdrawal', icon: IconArrowUpRight },
  adjustment: { group: 'Transactions', word: 'Adjustment', icon: IconGavel },
  payout: { group: 'Payouts', word: 'Payout', icon: IconFileSpreadsheet },
  asset: { group: 'Assets', word: 'Asset', icon: IconCoins },
  webhook: { group: 'Webhooks', word: 'Webhook endpoint', icon: IconWebhook },
  delivery: { group: 'Webhooks', word: 'Webhook delivery', icon: IconSend },
};

/** `nameOf`: the name of a wallet. A kind that a later version of the service finds has no page here. */
export function foundEntries(found: Found[], nameOf: (walletId: string) => string): Entry[] {
  return found
    .filter(({ kind }) => Object.hasOwn(KINDS, kind))
    .map((one) => {
      const { group, word, icon } = KINDS[one.kind];
      const more = one.kind === 'withdrawal' && one.name !== null ? [isolated(one.name)] : [];
      return {
        key: `${one.kind} ${one.wallet_id} ${one.id}`,
        group,
        label: labelOf(one),
        detail: [word, ...more, ...whoseOf(one, nameOf)].join(' · '),
        icon,
        target: targetOf(one),
      };
    });
}

/** Returns the wallet of a row, or the destination of a payee. */
function whoseOf({ kind, wallet_id, counterparty }: Found, nameOf: (walletId: string) => string): string[] {
  if (kind === 'payee') return [shortened(counterparty ?? '')];
  return kind === 'wallet' || wallet_id === null ? [] : [isolated(nameOf(wallet_id))];
}

/** Returns lines that lead to the explanation of a transaction that the service does not know, for each of the wallets. */
export function explainEntries(hash: string, wallets: { id: string; name: string }[]): Entry[] {
  return wallets.map(({ id, name }) => ({
    key: `explain ${id}`,
    group: 'Not found in any wallet',
    label: 'Explain this transaction',
    detail: `What it did for ${isolated(name)}`,
    icon: IconListSearch,
    target: explains(id, hash),
  }));
}

function labelOf({ kind, id, name, amount_stroops, counterparty, ...asset }: Found): ReactNode {
  const party = <span className="mono">{shortened(counterparty ?? '')}</span>;
  const amount = amount_stroops !== null && (
    <Amount
      stroops={amount_stroops}
      asset={{ asset_code: asset.asset_code ?? '', asset_issuer: asset.asset_issuer }}
    />
  );
  switch (kind) {
    case 'deposit':
      return (
        <>
          {amount} from {name === null ? party : isolated(name)}
        </>
      );
    case 'withdrawal':
      return (
        <>
          {amount} to {party}
        </>
      );
    case 'adjustment':
      return (
        <>
          {amount} by {party}
        </>
      );
    case 'asset':
      return assetName({ asset_code: asset.asset_code ?? '', asset_issuer: asset.asset_issuer });
    default:
      return name === null ? <span className="mono">{id}</span> : isolated(name);
  }
}

function targetOf({ kind, id, wallet_id, webhook_id }: Found): Target {
  const walletId = wallet_id ?? '';
  switch (kind) {
    case 'payee':
      return { link: { to: '/payees/$payeeId', params: { payeeId: id } } };
    case 'wallet':
      return { link: { to: '/wallets/$walletId', params: { walletId } } };
    case 'address':
      return { link: { to: '/wallets/$walletId/addresses/$addressId', params: { walletId, addressId: id } } };
    case 'deposit':
      return { link: { to: '/wallets/$walletId/deposits/$depositId', params: { walletId, depositId: id } } };
    case 'withdrawal':
      return {
        link: { to: '/wallets/$walletId/withdrawals/$withdrawalId', params: { walletId, withdrawalId: id } },
      };
    case 'adjustment':
      return {
        link: { to: '/wallets/$walletId/adjustments/$adjustmentId', params: { walletId, adjustmentId: id } },
      };
    case 'payout':
      return { link: { to: '/wallets/$walletId/payouts/$payoutId', params: { walletId, payoutId: id } } };
    case 'asset':
      return { link: { to: '/wallets/$walletId/assets', params: { walletId } } };
    case 'webhook':
      return endpointPage(walletId, id);
    case 'delivery':
      return endpointPage(walletId, webhook_id ?? '', id);
  }
}

function endpointPage(walletId: string, webhookId: string, delivery?: string): Target {
  return {
    link: {
      to: '/wallets/$walletId/developers/webhooks/$webhookId',
      params: { walletId, webhookId },
      search: delivery === undefined ? {} : { delivery },
    },
  };
}
