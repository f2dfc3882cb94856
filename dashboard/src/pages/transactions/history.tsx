import { Text, Timeline } from '@mantine/core';
import { IconCheck, IconClock, IconPointFilled, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { DateTime } from '../../components/date-time.tsx';
import { MemberName } from '../approvals/member-name.tsx';

export type Step = {
  title: string;
  /** The id of the member or service user who did it; null: not known. */
  by?: string | null;
  /** Null: not known, or not yet. */
  at?: string | null;
  state: 'done' | 'good' | 'bad' | 'waiting';
  text?: ReactNode;
};

const LOOKS = {
  done: { icon: <IconPointFilled size={14} />, color: 'gray', word: '' },
  good: { icon: <IconCheck size={14} />, color: 'teal', word: '' },
  bad: { icon: <IconX size={14} />, color: 'red', word: '' },
  waiting: { icon: <IconClock size={14} />, color: 'yellow', word: 'Waiting: ' },
} as const;

/** The steps in order; the last may still be pending. */
export function History({ steps }: { steps: Step[] }) {
  return (
    <Timeline
      bulletSize={24}
      lineWidth={2}
      active={steps.length}
      aria-label="History"
      role="list"
      styles={{ itemTitle: { lineHeight: 1.4 } }}
    >
      {steps.map(({ title, by, at, state, text }) => {
        const { icon, color, word } = LOOKS[state];
        return (
          <Timeline.Item
            key={`${title} ${by ?? ''}`}
            bullet={icon}
            color={color}
            role="listitem"
            title={
              <>
                {word}
                {title}
                {by && (
                  <>
                    {' '}
                    by <MemberName id={by} short />
                  </>
                )}
              </>
            }
          >
            {at && (
              <Text size="xs" c="dimmed">
                <DateTime at={at} seconds />
              </Text>
            )}
            {text && (
              <Text component="div" size="sm" mt={2} style={{ overflowWrap: 'anywhere' }}>
                {text}
              </Text>
            )}
          </Timeline.Item>
        );
      })}
    </Timeline>
  );
}
