import { Badge, Kbd, Stack, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { askedOf } from '../../api/approvals.ts';
import type { AwaitingApproval } from '../../api/contract.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { awaitsReader } from '../../text/approvals.ts';
import { type Carrying, CarryOut } from './access-request.tsx';
import { CarryOutDialog } from './carry-out.tsx';
import { Decide, TakeBack } from './decide.tsx';
import type { ApprovalRequest } from './request.ts';
import { CardList, RequestCard } from './request-card.tsx';
import { requestOf } from './request-of.tsx';
import { useCardKeys } from './use-card-keys.ts';

/** What awaits approvals in the team: each request is read and decided on its card. */
export function Waiting({ items }: { items: AwaitingApproval[] }) {
  const [carrying, setCarrying] = useState<Carrying | null>(null);
  const list = useRef<HTMLUListElement>(null);
  useCardKeys(list);
  return (
    <>
      {items.length === 0 ? (
        <EmptyState icon={IconCheck} title="Nothing awaits approval">
          What needs approval is set under “Policies” of each{' '}
          <TextLink to="/wallets" underline="always">
            wallet
          </TextLink>
          .
        </EmptyState>
      ) : (
        <Stack gap="sm" maw={820}>
          <Text size="xs" c="dimmed" visibleFrom="sm">
            On a card that has the focus: <Kbd>J</Kbd> next, <Kbd>K</Kbd> previous, <Kbd>A</Kbd> approve,{' '}
            <Kbd>R</Kbd> reject
          </Text>
          <CardList ref={list}>
            {items.map((item) => (
              <Card key={askedOf(item)?.id ?? ''} item={item} onCarryOut={setCarrying} />
            ))}
          </CardList>
        </Stack>
      )}
      {carrying && <CarryOutDialog {...carrying} onClose={() => setCarrying(null)} />}
    </>
  );
}

type CardProps = { item: AwaitingApproval; onCarryOut: (carrying: Carrying) => void };

function Card({ item, onCarryOut }: CardProps) {
  const request = requestOf(item);
  if (request === null) return null;
  const { access_change } = item;
  const is_approved = access_change?.status === 'approved';
  return (
    <RequestCard request={request} is_open={!is_approved} badge={<State item={item} request={request} />}>
      {!is_approved && <Decide request={request} deciding={item} />}
      {access_change && <CarryOut change={access_change} onCarryOut={onCarryOut} />}
      <TakeBack request={request} />
    </RequestCard>
  );
}

function State({ item, request: { asked } }: { item: AwaitingApproval; request: ApprovalRequest }) {
  const awaits_you = awaitsReader(item);
  const approved = asked.approvals.filter(({ decision }) => decision === 'approved').length;
  if (asked.approvals_required === 0) return <Badge color="gray">Needs no approvals</Badge>;
  return (
    <Badge color={awaits_you ? 'yellow' : 'gray'}>
      {awaits_you ? 'Awaits you' : `${approved} of ${asked.approvals_required} approved`}
    </Badge>
  );
}
