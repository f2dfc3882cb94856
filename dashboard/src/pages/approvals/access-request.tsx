import { Button, Flex, Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import type { AccessChange } from '../../api/contract.ts';
import { useMe } from '../../api/me.ts';
import { Details } from '../../components/details.tsx';
import { accessChangeTitle } from '../../text/access-changes.ts';
import { accessChangeLines, bodyToCarryOut } from './access-change-words.ts';
import { AT_THUMB } from './decide.tsx';
import { MemberName } from './member-name.tsx';
import type { ApprovalRequest } from './request.ts';
import { useWalletNames } from './use-wallet-names.ts';

const OPERATIONS = { approve: 'approveAccessChange', reject: 'rejectAccessChange' } as const;

export function accessRequest(change: AccessChange): ApprovalRequest {
  return {
    asked: change,
    what: 'this change of access',
    facts: <Facts change={change} />,
    wallet_id: change.wallet_id,
    link: null,
    operations: OPERATIONS,
    decide: ({ verb, body }) => api(OPERATIONS[verb], { access_change_id: change.id, body }),
  };
}

export type Carrying = { change: AccessChange; body: Record<string, unknown> };

type CarryOutProps = { change: AccessChange; onCarryOut: (carrying: Carrying) => void };

/** What comes after the last approval: the requester carries the change out. */
export function CarryOut({ change, onCarryOut }: CarryOutProps) {
  const me = useMe();
  if (change.status !== 'approved') return null;
  const why = change.approvals_required === 0 ? 'It needs no approvals any more.' : 'It is approved.';
  if (me === undefined || change.requested_by !== me.id)
    return <Text size="sm">{why} Its requester can carry it out.</Text>;
  const body = bodyToCarryOut(change);
  if (body !== null)
    return (
      <Flex>
        <Button {...AT_THUMB} onClick={() => onCarryOut({ change, body })}>
          Carry out
        </Button>
      </Flex>
    );
  return (
    <Text size="sm">
      {why} Send the same request again to carry it out: it has parts that are not stored.
    </Text>
  );
}

function Facts({ change }: { change: AccessChange }) {
  const nameOf = useWalletNames();
  const { target_id, operation } = change;
  const target: [string, ReactNode][] = target_id === null ? [] : targetOf(operation, target_id);
  return (
    <div>
      <Text fw={600}>{accessChangeTitle(change)}</Text>
      {nameOf ? (
        <Details rows={[...target, ...accessChangeLines(change, nameOf)]} />
      ) : (
        <Skeleton height={66} radius="sm" />
      )}
    </div>
  );
}

function targetOf(operation: AccessChange['operation'], id: string): [string, ReactNode][] {
  if (operation === 'changeMember') return [['Member', <MemberName key="target" id={id} />]];
  return operation === 'changePayee' ? [] : [['Service user', id]];
}
