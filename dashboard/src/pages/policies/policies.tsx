import { Alert, Stack, Text } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useMay, useMe } from '../../api/me.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { ApprovalsRule } from './approvals-rule.tsx';
import { DestinationsRule } from './destinations-rule.tsx';
import { durationWords } from './duration.ts';
import { FrozenRule } from './frozen-rule.tsx';
import { LimitRules } from './limit-rules.tsx';
import { usePolicy } from './use-policy.ts';

export function Policies() {
  const { walletId } = useParams({ from: '/signed-in/wallets/$walletId/policies' });
  const query = usePolicy(walletId);
  const isKnown = useMe() !== undefined;
  const may = useMay();
  return (
    <Page
      title="Policies"
      description="Rules for all withdrawals of this wallet, from the dashboard and from the API."
    >
      <Loaded query={query} lines={10}>
        {(policy) => (
          <Stack gap="lg" maw={820}>
            {isKnown && !may('changePolicy') && (
              <Text size="sm">Owners and admins of the team change these rules.</Text>
            )}
            <HowItWorks delay_seconds={policy.delay_seconds} />
            <FrozenRule policy={policy} />
            <LimitRules policy={policy} />
            <DestinationsRule policy={policy} />
            <ApprovalsRule policy={policy} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function HowItWorks({ delay_seconds }: { delay_seconds: number }) {
  return (
    <Alert
      variant="light"
      icon={<IconClock />}
      title="A change that allows less applies at once, a change that allows more after the delay"
    >
      <Text size="sm">
        {delay_seconds === 0
          ? 'The delay of this service is 0, so changes that allow more apply at once too.'
          : `A change that allows more applies ${durationWords(delay_seconds)} after you request it. Until then you can cancel it here. So a stolen login is not enough to lift a limit and withdraw.`}
      </Text>
    </Alert>
  );
}
