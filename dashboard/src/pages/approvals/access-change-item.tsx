import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import type { AccessChange } from '../../api/contract.ts';
import { useMe } from '../../api/me.ts';
import { useWallets } from '../../api/wallets.ts';
import { Details } from '../../components/details.tsx';
import { accessChangeTitle } from '../../text/access-changes.ts';
import { accessChangeLines, bodyToCarryOut } from './access-change-words.ts';
import { DecideButtons, Decisions, TakeBack, type Verdict } from './decide.tsx';
import { MemberName } from './member-name.tsx';
import type { Deciding } from './use-deciding.ts';

export type Carrying = { change: AccessChange; body: Record<string, unknown> };

type Props = { change: AccessChange; deciding: Deciding; onCarryOut: (carrying: Carrying) => void };

/** A change of access: what it does, who has decided, and what the signed-in member can do about it. */
export function AccessChangeItem({ change, deciding, onCarryOut }: Props) {
  const me = useMe();
  const decide = ({ verb, body }: Verdict) =>
    api(verb === 'approve' ? 'approveAccessChange' : 'rejectAccessChange', {
      access_change_id: change.id,
      body,
    });
  const isOwn = me !== undefined && change.requested_by === me.id;
  return (
    <Paper component="li" withBorder p="md">
      <Stack gap="sm">
        <Facts change={change} />
        <Decisions asked={change} />
        <DecideButtons
          asked={change}
          deciding={deciding}
          what="this change of access"
          summary={<Facts change={change} />}
          can_approve
          onDecide={decide}
        />
        {isOwn && (
          <Group gap="xs">
            {change.status === 'approved' && <CarryOutButton change={change} onCarryOut={onCarryOut} />}
            <TakeBack asked={change} what="this change of access" onDecide={decide} />
          </Group>
        )}
        {!isOwn && change.status === 'approved' && (
          <Text size="sm">It is approved. Its requester can carry it out.</Text>
        )}
      </Stack>
    </Paper>
  );
}

function CarryOutButton({ change, onCarryOut }: Pick<Props, 'change' | 'onCarryOut'>) {
  const body = bodyToCarryOut(change);
  if (body !== null) return <Button onClick={() => onCarryOut({ change, body })}>Carry out</Button>;
  return (
    <Text size="sm">
      It is approved. Send the same request again to carry it out: it has parts that are not stored.
    </Text>
  );
}

function Facts({ change }: { change: AccessChange }) {
  const wallets = useWallets();
  const nameOf = (wallet_id: string) => wallets.find(({ id }) => id === wallet_id)?.name ?? wallet_id;
  const { wallet_id, target_id, operation } = change;
  const isMember = operation === 'changeMember';
  const target: [string, ReactNode][] =
    target_id === null
      ? []
      : isMember
        ? [['Member', <MemberName key="target" id={target_id} />]]
        : [['Service user', target_id]];
  const wallet: [string, string][] = wallet_id === null ? [] : [['Wallet', nameOf(wallet_id)]];
  return (
    <div>
      <Text fw={600}>{accessChangeTitle(change)}</Text>
      <Details rows={[...target, ...wallet, ...accessChangeLines(change, nameOf)]} />
    </div>
  );
}
