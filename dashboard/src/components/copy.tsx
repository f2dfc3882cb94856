import { ActionIcon, Button, Group, Text, Tooltip } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { copyText } from './clipboard.ts';

/** Copies `value`. `what` names it for screen readers: “transaction hash”. */
export function CopyButton({ value, what }: { value: string; what: string }) {
  const { state, copy } = useCopy(value);
  const { word, color, icon: Icon } = LOOKS[state];
  return (
    <Tooltip label={word} withArrow>
      <ActionIcon
        variant="subtle"
        color={color}
        size="sm"
        onClick={() => void copy()}
        aria-label={`${word} ${what}`}
      >
        <Icon size={15} />
      </ActionIcon>
    </Tooltip>
  );
}

export function WideCopyButton({ value, what }: { value: string; what: string }) {
  const { state, copy } = useCopy(value);
  const { word, color, icon: Icon } = LOOKS[state];
  return (
    <Button
      variant="light"
      color={color === 'gray' ? 'indigo' : color}
      onClick={() => void copy()}
      leftSection={<Icon size={16} />}
    >
      {state === 'failed' ? 'Could not copy. Select the text and copy it yourself.' : `${word} the ${what}`}
    </Button>
  );
}

const LOOKS = {
  ready: { word: 'Copy', color: 'gray', icon: IconCopy },
  copied: { word: 'Copied', color: 'teal', icon: IconCheck },
  failed: { word: 'Could not copy', color: 'red', icon: IconAlertTriangle },
} as const;

const TOLD_MS = 1_500;

function useCopy(value: string) {
  const [state, setState] = useState<keyof typeof LOOKS>('ready');
  useEffect(() => {
    if (state !== 'copied') return;
    const timer = setTimeout(() => setState('ready'), TOLD_MS);
    return () => clearTimeout(timer);
  }, [state]);
  return { state, copy: async () => setState((await copyText(value)) ? 'copied' : 'failed') };
}

/** Both ends of an address, a hash or an id, of `ends` characters each: 6 everywhere, unless there is room for all of it. */
export function shortened(value: string, ends = 6): string {
  return value.length > ends * 2 + 3 ? `${value.slice(0, ends)}…${value.slice(-ends)}` : value;
}

/** A shortened address, hash or id with a copy button. The tooltip has all of it. */
export function Copyable({ value, what, ends = 6 }: { value: string; what: string; ends?: number }) {
  return (
    <Group component="span" gap={2} wrap="nowrap" display="inline-flex">
      <Text component="span" inherit className="mono" title={value}>
        {shortened(value, ends)}
      </Text>
      <CopyButton value={value} what={what} />
    </Group>
  );
}
