import { Anchor, Card, CloseButton, Group, List, Text, ThemeIcon, Title } from '@mantine/core';
import { IconCheck, IconCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useMay, useMe } from '../../api/me.ts';
import { walletQuery } from '../../api/wallets.ts';
import { type FirstStep, firstSteps } from './first-steps.ts';
import { useFirstStepsFacts } from './first-steps-facts.ts';
import { areFirstStepsOver, endFirstSteps } from './first-steps-over.ts';

/** What is to do with a first wallet, until all is done or the reader closes the card. */
export function FirstSteps({ walletId }: { walletId: string }) {
  const me = useMe();
  const [closed, setClosed] = useState(false);
  if (!me || closed || areFirstStepsOver(me.id)) return null;
  const close = () => {
    endFirstSteps(me.id);
    setClosed(true);
  };
  return <Steps walletId={walletId} onOver={close} />;
}

function Steps({ walletId, onOver }: { walletId: string; onOver: () => void }) {
  const may = useMay();
  const { data: wallet } = useQuery(walletQuery(walletId));
  const steps = firstSteps(useFirstStepsFacts(walletId), { isPublic: wallet?.network === 'public', may });
  const areDone = steps !== undefined && steps.length > 0 && steps.every(({ isDone }) => isDone);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (areDone) onOver();
  }, [areDone]);
  if (!wallet || !steps || steps.length === 0 || areDone) return null;
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby="first-steps">
      <Group justify="space-between" mb="sm" wrap="nowrap">
        <Group gap="sm">
          <Title order={2} size="h4" id="first-steps">
            First steps
          </Title>
          <Text size="sm" c="dimmed">
            {done} of {steps.length} done
          </Text>
        </Group>
        <CloseButton aria-label="Close the first steps" title="Close, and show it no more" onClick={onOver} />
      </Group>
      <List listStyleType="none" spacing="xs" center>
        {steps.map((step) => (
          <Step key={step.words} walletId={walletId} step={step} />
        ))}
      </List>
      {wallet.network !== 'public' && (
        <Text size="sm" c="dimmed" mt="sm">
          Then, on a service for the public network:{' '}
          <Anchor size="sm" underline="always" href="/docs/#description/going-live">
            Going live
          </Anchor>
        </Text>
      )}
    </Card>
  );
}

function Step({ walletId, step: { words, to, isDone } }: { walletId: string; step: FirstStep }) {
  const icon = (
    <ThemeIcon
      variant="light"
      radius="xl"
      size="sm"
      color={isDone ? 'teal' : 'gray'}
      role="img"
      aria-label={isDone ? 'Done' : 'To do'}
    >
      {isDone ? <IconCheck size={14} /> : <IconCircle size={14} />}
    </ThemeIcon>
  );
  return (
    <List.Item icon={icon}>
      {isDone ? (
        <Text size="sm" c="dimmed">
          {words}
        </Text>
      ) : (
        <Anchor size="sm" renderRoot={(props) => <Link to={to} params={{ walletId }} {...props} />}>
          {words}
        </Anchor>
      )}
    </List.Item>
  );
}
