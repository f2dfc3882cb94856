import { Skeleton, Text } from '@mantine/core';
import { isolated } from '../../text/isolate.ts';
import { Decisions } from './decisions.tsx';
import type { ApprovalRequest } from './request.ts';
import { useWalletNames } from './use-wallet-names.ts';

type Props = { request: ApprovalRequest; is_open: boolean };

/** For which wallet, who asked, and who has decided: on a card, and in the dialog that covers it. */
export function About({ request: { wallet_id, asked }, is_open }: Props) {
  return (
    <div>
      {wallet_id !== null && <WalletLine id={wallet_id} />}
      <Decisions asked={asked} is_open={is_open} />
    </div>
  );
}

function WalletLine({ id }: { id: string }) {
  const nameOf = useWalletNames();
  return (
    <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
      Wallet:{' '}
      {nameOf ? (
        isolated(nameOf(id))
      ) : (
        <Skeleton component="span" display="inline-block" w={160} h="0.8em" aria-hidden />
      )}
    </Text>
  );
}
