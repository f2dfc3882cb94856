import { SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import type { PendingPolicyChange } from '../../api/contract.ts';
import { TextLink } from '../../components/text-link.tsx';
import type { ApprovalRequest } from '../approvals/request.ts';
import { ChangeWords } from './change-words.tsx';
import { inForceWords } from './rule-words.ts';
import { policyQuery } from './use-policy.ts';

const OPERATIONS = { approve: 'approvePolicyChange', reject: 'rejectPolicyChange' } as const;

/** `is_open`: false of a change that is decided: the policy in force is another one by now. */
export function changeRequest(
  wallet_id: string,
  change: PendingPolicyChange,
  is_open: boolean,
): ApprovalRequest {
  return {
    asked: change,
    what: 'this change',
    facts: is_open ? <OldAndNew walletId={wallet_id} change={change} /> : <New change={change} />,
    wallet_id,
    link: (
      <TextLink to="/wallets/$walletId/policies" params={{ walletId: wallet_id }}>
        Open the policies
      </TextLink>
    ),
    operations: OPERATIONS,
    decide: async ({ verb, body }, client) => {
      try {
        return await api(OPERATIONS[verb], { id: wallet_id, change_id: change.id, body });
      } finally {
        void client.invalidateQueries({ queryKey: policyQuery(wallet_id).queryKey });
      }
    },
  };
}

const EVERY_MS = 10_000;

function OldAndNew({ walletId, change }: { walletId: string; change: PendingPolicyChange }) {
  const { data } = useQuery({ ...policyQuery(walletId), refetchInterval: EVERY_MS });
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
      <Side title="Now">{data && inForceWords(data, change)}</Side>
      <New change={change} />
    </SimpleGrid>
  );
}

function New({ change }: { change: PendingPolicyChange }) {
  return (
    <Side title="Asked for">
      <strong>
        <ChangeWords change={change} />
      </strong>
    </Side>
  );
}

function Side({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {title}
      </Text>
      <Text component="div" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </div>
  );
}
