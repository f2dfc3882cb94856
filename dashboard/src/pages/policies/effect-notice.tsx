import { Alert, Text } from '@mantine/core';
import { IconBolt, IconClock } from '@tabler/icons-react';
import { DateTime } from '../../components/date-time.tsx';
import { durationWords } from './duration.ts';
import type { Effect } from './target.ts';

type Props = {
  effect: Effect;
  delay_seconds: number;
  /** Whether members must approve it before it applies (target.ts, `needsApprovals`). */
  needs_approvals?: boolean;
  /** The effect, as a sentence, or as one on each line. */
  children: string;
};

/** Says before a change what will apply, and from when. */
export function EffectNotice({ effect, delay_seconds, needs_approvals = false, children }: Props) {
  const later = effect === 'later' && (delay_seconds > 0 || needs_approvals);
  return (
    <Alert
      variant="light"
      color={later ? 'yellow' : 'teal'}
      icon={later ? <IconClock /> : <IconBolt />}
      title={<Title effect={later ? 'later' : 'at_once'} {...{ delay_seconds, needs_approvals }} />}
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

type TitleProps = { effect: Effect; delay_seconds: number; needs_approvals: boolean };

function Title({ effect, delay_seconds, needs_approvals }: TitleProps) {
  if (effect !== 'later') return 'Applies at once';
  if (needs_approvals)
    return delay_seconds === 0
      ? 'Applies once other members have approved it'
      : `Applies in ${durationWords(delay_seconds)}, if other members have approved it`;
  const at = new Date(Date.now() + delay_seconds * 1000).toISOString();
  return (
    <>
      Applies in {durationWords(delay_seconds)}: <DateTime at={at} />
    </>
  );
}
