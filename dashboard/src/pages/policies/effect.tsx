import { Alert, Text } from '@mantine/core';
import { IconBolt, IconClock } from '@tabler/icons-react';
import { When } from '../../parts/when.tsx';
import { durationWords } from './duration.ts';
import type { Effect } from './target.ts';

type Props = {
  effect: Effect;
  delay_seconds: number;
  /** What will be so, as a sentence. */
  children: string;
};

/** Before anything is changed: what will hold, and from when on. */
export function EffectNotice({ effect, delay_seconds, children }: Props) {
  const later = effect === 'later' && delay_seconds > 0;
  return (
    <Alert
      variant="light"
      color={later ? 'yellow' : 'teal'}
      icon={later ? <IconClock /> : <IconBolt />}
      title={<Title effect={later ? 'later' : 'at_once'} delay_seconds={delay_seconds} />}
      aria-live="polite"
    >
      <Text size="sm">{children}</Text>
      {later && (
        <Text size="sm" mt={4}>
          Until then what is in force now stays. It can be taken back at any time.
        </Text>
      )}
    </Alert>
  );
}

function Title({ effect, delay_seconds }: { effect: Effect; delay_seconds: number }) {
  if (effect !== 'later') return 'At once';
  const at = new Date(Date.now() + delay_seconds * 1000).toISOString();
  return (
    <>
      In {durationWords(delay_seconds)}: <When at={at} />
    </>
  );
}
