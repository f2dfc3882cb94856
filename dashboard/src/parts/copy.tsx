import { ActionIcon, Button, CopyButton, Group, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

/** Puts `value` on the clipboard. `what` names it for whoever does not see the icon: “transaction hash”. */
export function Copy({ value, what }: { value: string; what: string }) {
  return (
    <CopyButton value={value} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : 'Copy'} withArrow>
          <ActionIcon
            variant="subtle"
            color={copied ? 'teal' : 'gray'}
            size="sm"
            onClick={copy}
            aria-label={copied ? `Copied ${what}` : `Copy ${what}`}
          >
            {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

export function CopyWide({ value, label }: { value: string; label: string }) {
  return (
    <CopyButton value={value} timeout={1500}>
      {({ copied, copy }) => (
        <Button
          variant="light"
          color={copied ? 'teal' : 'indigo'}
          onClick={copy}
          leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
        >
          {copied ? 'Copied' : label}
        </Button>
      )}
    </CopyButton>
  );
}

/** The ends of an address, a hash or an id. */
export function shortened(value: string, ends = 6): string {
  return value.length > ends * 2 + 3 ? `${value.slice(0, ends)}…${value.slice(-ends)}` : value;
}

/** An address, a hash or an id: its ends, whole on hovering and to copy. */
export function Code({ value, what, ends = 6 }: { value: string; what: string; ends?: number }) {
  return (
    <Group component="span" gap={2} wrap="nowrap" display="inline-flex">
      <Text component="span" inherit className="mono" title={value}>
        {shortened(value, ends)}
      </Text>
      <Copy value={value} what={what} />
    </Group>
  );
}
