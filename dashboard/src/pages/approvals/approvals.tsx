import { Badge, Flex, Group, Paper, Stack, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { approvalsQuery } from '../../api/approvals.ts';
import type { AwaitingApproval } from '../../api/contract.ts';
import { walletsQuery } from '../../api/wallets.ts';
import { Figures } from '../../components/amount.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { assetText } from '../../text/asset.ts';
import { isolated } from '../../text/isolate.ts';
import { ChangeWords } from '../policies/change-words.tsx';
import { Reference } from '../withdraw/payment-summary.tsx';
import { AccessChangeItem, type Carrying } from './access-change-item.tsx';
import { CarryOutDialog } from './carry-out.tsx';
import { MemberName } from './member-name.tsx';

/** What awaits approvals in the team. */
export function Approvals() {
  const query = useQuery(approvalsQuery);
  const [carrying, setCarrying] = useState<Carrying | null>(null);
  return (
    <Page
      title="Approvals"
      description="Withdrawals, payouts, changes of policies and changes of access that other members must approve before they happen."
    >
      <Loaded query={query} lines={6}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon={IconCheck} title="Nothing awaits approval">
              What needs approval is set under “Policies” of each{' '}
              <TextLink to="/wallets" underline="always">
                wallet
              </TextLink>
              .
            </EmptyState>
          ) : (
            <Stack component="ul" gap="sm" p={0} m={0} maw={820} style={{ listStyle: 'none' }}>
              {items.map((item) =>
                item.access_change ? (
                  <AccessChangeItem
                    key={item.access_change.id}
                    change={item.access_change}
                    deciding={item}
                    onCarryOut={setCarrying}
                  />
                ) : (
                  <Item key={(item.withdrawal ?? item.payout ?? item.change)?.id} item={item} />
                ),
              )}
            </Stack>
          )
        }
      </Loaded>
      {carrying && <CarryOutDialog {...carrying} onClose={() => setCarrying(null)} />}
    </Page>
  );
}

function Item({ item }: { item: AwaitingApproval }) {
  const { wallet_id, withdrawal, payout, change } = item;
  const awaits_you = item.may_decide || item.factor_required;
  const { data } = useQuery(walletsQuery);
  const asked = withdrawal ?? payout ?? change;
  if (!asked || wallet_id === null) return null;
  const name = data?.items.find(({ id }) => id === wallet_id)?.name;
  const { approvals, approvals_required, requested_by, approval_expires_at } = asked;
  return (
    <Paper component="li" withBorder p="md">
      <Group justify="space-between" gap="sm" align="flex-start">
        <div style={{ flex: '1 1 260px' }}>
          <Text fw={600} component="div">
            <What item={item} />
          </Text>
          {withdrawal && (
            <Text size="sm" className="mono" style={{ overflowWrap: 'anywhere' }}>
              {withdrawal.destination}
            </Text>
          )}
          {withdrawal && withdrawal.memo_id !== null && (
            <Text size="sm">with memo id {String(withdrawal.memo_id)}</Text>
          )}
          {withdrawal && <Reference reference={withdrawal.reference} />}
          {change && (
            <Text size="sm" component="div">
              <ChangeWords change={change} />
            </Text>
          )}
          <Text size="sm" component="div">
            {name && <>From {isolated(name)}. </>}
            {requested_by && (
              <>
                Requested by <MemberName id={requested_by} />
                {'. '}
              </>
            )}
            {approval_expires_at && (
              <>
                The request ends <DateTime at={approval_expires_at} />.
              </>
            )}
          </Text>
        </div>
        <Flex direction="column" gap={4} align={{ base: 'flex-start', sm: 'flex-end' }}>
          <Badge color={awaits_you ? 'yellow' : 'gray'}>
            {awaits_you
              ? 'Awaits you'
              : `${approvals.filter(({ decision }) => decision === 'approved').length} of ${approvals_required} approved`}
          </Badge>
          <OpenLink item={item} walletId={wallet_id} />
        </Flex>
      </Group>
    </Paper>
  );
}

function What({ item: { withdrawal, payout } }: { item: AwaitingApproval }) {
  if (withdrawal)
    return (
      <>
        Pay <Figures stroops={withdrawal.amount_stroops} asset={withdrawal} />
      </>
    );
  if (!payout) return 'Change the policy';
  return (
    <>
      Pay the {payout.row_count} rows of {isolated(payout.name)}:{' '}
      {payout.totals.map((total) => (
        <div key={assetText(total)}>
          <Figures stroops={total.amount_stroops} asset={total} />
        </div>
      ))}
    </>
  );
}

function OpenLink({ item: { withdrawal, payout }, walletId }: { item: AwaitingApproval; walletId: string }) {
  if (withdrawal)
    return (
      <TextLink
        to="/wallets/$walletId/withdrawals/$withdrawalId"
        params={{ walletId, withdrawalId: withdrawal.id }}
      >
        Open the withdrawal
      </TextLink>
    );
  if (payout)
    return (
      <TextLink to="/wallets/$walletId/payouts/$payoutId" params={{ walletId, payoutId: payout.id }}>
        Open the payout
      </TextLink>
    );
  return (
    <TextLink to="/wallets/$walletId/policies" params={{ walletId }}>
      Open the policies
    </TextLink>
  );
}
