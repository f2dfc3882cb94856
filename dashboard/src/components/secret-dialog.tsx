import { Alert, Button, Checkbox, Code, Group, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { WideCopyButton } from './copy.tsx';
import { Dialog } from './dialog.tsx';

type Props = {
  title: string;
  /** What it is called within a sentence: “API key”. */
  what: string;
  secret: string;
  /** What it is for, and what to do if it gets lost. */
  children: ReactNode;
  /** What the button does once the secret is stored. */
  action: string;
  onStored: () => void;
};

/**
 * A secret that nobody can see again. It goes only when the user has said that it is stored: no key, no click beside it,
 * no step back closes it, and the browser asks before it leaves the page.
 */
export function SecretDialog({ title, what, secret, children, action, onStored }: Props) {
  const [stored, setStored] = useState(false);
  useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: true });
  return (
    <Dialog
      onClose={() => undefined}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={title}
      size="lg"
    >
      <Stack>
        <Alert color="orange" icon={<IconKey />} title={`Store this ${what} now. You won’t see it again.`}>
          <Text size="sm">{children}</Text>
        </Alert>
        <Code block aria-label={what} tabIndex={0} style={{ whiteSpace: 'pre-wrap', wordBreak: 'break-all' }}>
          {secret}
        </Code>
        <Group>
          <WideCopyButton value={secret} what={what} />
        </Group>
        <Checkbox
          checked={stored}
          onChange={(event) => setStored(event.currentTarget.checked)}
          label={`I have stored the ${what} in a safe place`}
        />
        <Group justify="flex-end">
          <Button disabled={!stored} onClick={onStored}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
