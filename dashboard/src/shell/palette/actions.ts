/** The actions of the palette. A dialog is that of the page where the action has its button. */
import {
  IconArrowUpRight,
  IconAt,
  IconCoins,
  IconFileSpreadsheet,
  IconKey,
  IconListSearch,
  IconSnowflake,
  IconUserPlus,
  IconWallet,
  IconWebhook,
} from '@tabler/icons-react';
import { lazyRouteComponent as lazy } from '@tanstack/react-router';
import type { LoginOperation } from '../../api/me.ts';
import type { Entry, Target } from './entry.ts';

export type Action = {
  label: string;
  needed: LoginOperation;
  of: 'wallet' | 'team';
  icon: Entry['icon'];
  /** Other words that people look for it by. */
  also: string;
  target: (walletId: string) => Target;
};

export const ACTIONS: Action[] = [
  {
    label: 'Withdraw',
    needed: 'createWithdrawal',
    of: 'wallet',
    icon: IconArrowUpRight,
    also: 'pay send money',
    target: (walletId) => ({ link: { to: '/wallets/$walletId/withdraw', params: { walletId } } }),
  },
  {
    label: 'New address',
    needed: 'createDepositAddress',
    of: 'wallet',
    icon: IconAt,
    also: 'create deposit customer',
    target: () => ({ dialog: CreateAddress }),
  },
  {
    label: 'New payout',
    needed: 'createPayout',
    of: 'wallet',
    icon: IconFileSpreadsheet,
    also: 'create csv file import',
    target: (walletId) => ({ link: { to: '/wallets/$walletId/payouts/new', params: { walletId } } }),
  },
  {
    label: 'Explain a transaction',
    needed: 'explainTransaction',
    of: 'wallet',
    icon: IconListSearch,
    also: 'hash missing deposit',
    target: (walletId) => explains(walletId, ''),
  },
  {
    label: 'Freeze or unfreeze',
    needed: 'changePolicy',
    of: 'wallet',
    icon: IconSnowflake,
    also: 'stop lock block withdrawals',
    target: (walletId) => ({ link: { to: '/wallets/$walletId/policies', params: { walletId } } }),
  },
  {
    label: 'Add an asset',
    needed: 'addAsset',
    of: 'wallet',
    icon: IconCoins,
    also: 'trust line token new',
    target: () => ({ dialog: AddAsset }),
  },
  {
    label: 'Add an endpoint',
    needed: 'registerWebhook',
    of: 'wallet',
    icon: IconWebhook,
    also: 'webhook new create',
    target: () => ({ dialog: AddEndpoint }),
  },
  {
    label: 'New API key',
    needed: 'createApiKey',
    of: 'wallet',
    icon: IconKey,
    also: 'create',
    target: () => ({ dialog: NewKeyDialog }),
  },
  {
    label: 'New wallet',
    needed: 'createWallet',
    of: 'team',
    icon: IconWallet,
    also: 'create account',
    target: () => ({ dialog: CreateWallet }),
  },
  {
    label: 'Invite a member',
    needed: 'createInvitation',
    of: 'team',
    icon: IconUserPlus,
    also: 'add user colleague invitation',
    target: () => ({ dialog: InviteDialog }),
  },
];

/** Returns the drawer that explains a transaction; without a hash it asks for one. */
export function explains(walletId: string, hash: string): Target {
  return {
    link: { to: '/wallets/$walletId/transactions', params: { walletId }, search: { explain: hash } },
  };
}

const CreateAddress = lazy(() => import('../../pages/addresses/create-address.tsx'), 'CreateAddress');
const AddAsset = lazy(() => import('../../pages/assets/add-asset.tsx'), 'AddAsset');
const AddEndpoint = lazy(() => import('../../pages/developers/endpoint-form.tsx'), 'AddEndpoint');
const NewKeyDialog = lazy(() => import('../../pages/developers/new-key-dialog.tsx'), 'NewKeyDialog');
const CreateWallet = lazy(() => import('../../pages/wallets/create-wallet.tsx'), 'CreateWallet');
const InviteDialog = lazy(() => import('../../pages/team/invite-dialog.tsx'), 'InviteDialog');
