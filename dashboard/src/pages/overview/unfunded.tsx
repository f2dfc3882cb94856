import { Alert, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { Wallet } from '../../api/contract.ts';
import { Copy } from '../../parts/copy.tsx';

export function Unfunded({ wallet }: { wallet: Wallet }) {
  return (
    <Alert color="yellow" icon={<IconInfoCircle />} title="The account is not on the ledger yet">
      <Text size="sm">
        Send it at least 1 XLM to create it; 1 XLM of it stays as the reserve that the network asks for.
        Deposits can arrive and withdrawals be made from then on.
      </Text>
      <Text size="sm" mt="xs" className="mono" style={{ wordBreak: 'break-all' }}>
        {wallet.account} <Copy value={wallet.account} what="account" />
      </Text>
    </Alert>
  );
}
