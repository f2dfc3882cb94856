import { Alert, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { Wallet } from '../../api/contract.ts';
import { CopyButton } from '../../components/copy.tsx';

export function UnfundedNotice({ wallet }: { wallet: Wallet }) {
  return (
    <Alert color="yellow" icon={<IconInfoCircle />} title="The account is not funded yet">
      <Text size="sm">
        Send at least 1 XLM to create it. The network keeps 1 XLM as the account’s reserve. The wallet can
        then receive deposits and make withdrawals.
      </Text>
      <Text size="sm" mt="xs" className="mono" style={{ wordBreak: 'break-all' }}>
        {wallet.account} <CopyButton value={wallet.account} what="account" />
      </Text>
    </Alert>
  );
}
