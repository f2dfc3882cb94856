import { Alert, Text } from '@mantine/core';
import { IconBolt, IconClock } from '@tabler/icons-react';
import { DateTime } from '../../components/date-time.tsx';
import { durationWords } from './duration.ts';
import type { Effect } from './target.ts';

type Props = {
  effect: Effect;
  delay_seconds: number;
  /** The effect, as a sentence, or as one on each line. */
  children: string;
};

/** Says before a change what will apply, and from when. */
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
      <Text size="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
        {children}
      </Text>
      {later && (
        <Text size="sm" mt={4}>
          The current rule applies until then. You can cancel the change at any time before.
        </Text>
      )}
    </Alert>
  );
}

function Title({ effect, delay_seconds }: { effect: Effect; delay_seconds: number }) {
  if (effect !== 'later') return 'Applies at once';
  const at = new Date(Date.now() + delay_seconds * 1000).toISOString();
  return (
    <>
      Applies in {durationWords(delay_seconds)}: <DateTime at={at} />
    </>
  );
}
