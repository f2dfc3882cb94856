import { Text } from '@mantine/core';
import type { Wallet } from '../../api/contract.ts';
import type { Column } from '../../components/infinite-table.tsx';
import { ROLE_WORDS } from '../../text/roles.ts';
import { type Rights, walletsInWords } from './rights.ts';

/** The columns of the role and of the wallets. On a phone `PhoneRights` stands in for them. */
export function rightsColumns<Row extends Rights>(wallets: Wallet[]): Column<Row>[] {
  return [
    { title: 'Role', width: 120, visibleFrom: 'sm', cell: ({ role }) => ROLE_WORDS[role].label },
    {
      title: 'Wallets',
      visibleFrom: 'sm',
      cell: ({ wallet_ids }) => (
        <Text size="sm" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
          {walletsInWords(wallet_ids, wallets)}
        </Text>
      ),
    },
  ];
}

/** The role and the wallets in one line, on a phone only. */
export function PhoneRights({ rights, wallets }: { rights: Rights; wallets: Wallet[] }) {
  return (
    <Text size="sm" hiddenFrom="sm" style={{ overflowWrap: 'anywhere' }}>
      {ROLE_WORDS[rights.role].label} · {walletsInWords(rights.wallet_ids, wallets)}
    </Text>
  );
}
