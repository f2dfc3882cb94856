import { Alert, Button, Checkbox, Code, Group, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { WideCopyButton } from './copy.tsx';
import { Dialog } from './dialog.tsx';

type Props = {
  title: string;
  /** The name of the secret within a sentence: “API key”. */
  what: string;
  /** Null only in a repeat with an Idempotency-Key, which no page sends. */
  secret: string | null;
  /** The purpose of the secret, and what to do if it is lost. */
  children: ReactNode;
  /** The label of the button that closes the dialog. */
  action: string;
  onStored: () => void;
  /** What the user confirms before the dialog closes. */
  confirmation?: string;
};

/**
 * Shows a secret that nobody can see again. Only the user's word that it is stored closes the dialog: not Escape, a
 * click outside or the back button. The browser asks before it leaves the page.
 */
export function SecretDialog({
  title,
  what,
  secret,
  children,
  action,
  onStored,
  confirmation = `I have stored the ${what} in a safe place`,
}: Props) {
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
        <Alert color="orange" icon={<IconKey />} title={`Store the ${what} now. Nobody can show this again.`}>
          <Text size="sm">{children}</Text>
        </Alert>
        <Code block aria-label={what} tabIndex={0} style={{ whiteSpace: 'pre-wrap', wordBreak: 'break-all' }}>
          {secret}
        </Code>
        <Group>
          <WideCopyButton value={secret ?? ''} what={what} />
        </Group>
        <Checkbox
          checked={stored}
          onChange={(event) => setStored(event.currentTarget.checked)}
          label={confirmation}
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
