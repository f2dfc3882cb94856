import { Button, Progress, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { Policy } from '../../api/contract.ts';
import { Amount } from '../../components/amount.tsx';
import { LimitDialog } from './limit-dialog.tsx';
import { Rule } from './rule.tsx';
import type { LimitField } from './target.ts';

const WORDS = {
  max_withdrawal_stroops: {
    title: 'Maximum per withdrawal',
    description: 'No single withdrawal may pay more.',
  },
  max_rolling_24h_stroops: {
    title: 'Maximum in 24 hours',
    description: 'Total of all withdrawals in any 24 hours, without fees.',
  },
} as const;

export function LimitRule({ policy, field }: { policy: Policy; field: LimitField }) {
  const { title, description } = WORDS[field];
  const [dialog, setDialog] = useState<'set' | 'remove'>('set');
  const [opened, { open, close }] = useDisclosure();
  const limit = policy[field];
  const pending = policy.pending.filter((change) => change.field === field);
  const show = (which: typeof dialog) => () => {
    setDialog(which);
    open();
  };
  return (
    <Rule
      walletId={policy.wallet_id}
      title={title}
      description={description}
      actions={
        <>
          {limit !== null && (
            <Button variant="subtle" onClick={show('remove')} aria-label={`Remove: ${title}`}>
              Remove
            </Button>
          )}
          <Button
            variant="default"
            onClick={show('set')}
            aria-label={`${limit === null ? 'Set a limit' : 'Change'}: ${title}`}
          >
            {limit === null ? 'Set a limit' : 'Change'}
          </Button>
        </>
      }
      pending={pending}
      words={({ limit_stroops }) =>
        limit_stroops === null ? (
          'There will be no limit'
        ) : (
          <>
            The limit will be <Amount stroops={limit_stroops} fw={600} />
          </>
        )
      }
    >
      <Text fw={600}>{limit === null ? 'No limit' : <Amount stroops={limit} />}</Text>
      {field === 'max_rolling_24h_stroops' && <Used policy={policy} />}
      {opened && (
        <LimitDialog
          policy={policy}
          field={field}
          title={title}
          remove={dialog === 'remove'}
          onClose={close}
        />
      )}
    </Rule>
  );
}

function Used({
  policy: { used_rolling_24h_stroops: used, max_rolling_24h_stroops: limit },
}: {
  policy: Policy;
}) {
  const left = limit === null || used >= limit ? 0n : limit - used;
  return (
    <div>
      {limit !== null && (
        <Progress
          value={Math.min(100, Number((used * 1000n) / limit) / 10)}
          color={left === 0n ? 'red' : 'indigo'}
          mb={6}
          aria-label="Part of the limit that is used"
        />
      )}
      <Text size="sm" c="dimmed">
        <Amount stroops={used} /> paid in the last 24 hours
        {limit !== null && (
          <>
            , <Amount stroops={left} /> left
          </>
        )}
      </Text>
    </div>
  );
}
