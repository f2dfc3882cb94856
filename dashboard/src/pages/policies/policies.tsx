import { Alert, Stack, Text } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { DestinationsRule } from './destinations-rule.tsx';
import { durationWords } from './duration.ts';
import { FrozenRule } from './frozen-rule.tsx';
import { LimitRule } from './limit-rule.tsx';
import { usePolicy } from './use-policy.ts';

export function Policies() {
  const { walletId } = useParams({ from: '/signed-in/wallets/$walletId/policies' });
  const query = usePolicy(walletId);
  return (
    <Page
      title="Policies"
      description="What this wallet may pay out, whoever asks: in the dashboard and by the API."
    >
      <Loaded query={query} lines={10}>
        {(policy) => (
          <Stack gap="lg" maw={820}>
            <HowItWorks delay_seconds={policy.delay_seconds} />
            <FrozenRule policy={policy} />
            <LimitRule policy={policy} field="max_withdrawal_stroops" />
            <LimitRule policy={policy} field="max_rolling_24h_stroops" />
            <DestinationsRule policy={policy} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function HowItWorks({ delay_seconds }: { delay_seconds: number }) {
  return (
    <Alert variant="light" icon={<IconClock />} title="Tighter at once, looser later">
      <Text size="sm">
        {delay_seconds === 0
          ? 'What makes the policy tighter holds at once. Here what makes it looser does, too: this service has no delay.'
          : `What makes the policy tighter holds at once. What makes it looser holds only ${durationWords(delay_seconds)} after it is asked for, and until then can be taken back here: so whoever gets hold of your login cannot lift it and pay.`}
      </Text>
    </Alert>
  );
}
