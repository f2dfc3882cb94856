import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { ErrorAlert } from './error-alert.tsx';

type Props = {
  title: string;
  children: ReactNode;
  /** The label of the confirm button, a verb. */
  action: string;
  /** The label of the other button, where the action itself is to cancel something. */
  keep?: string | undefined;
  danger?: boolean;
  pending: boolean;
  /** Disables the confirm button; the children say why. */
  disabled?: boolean;
  /** A response with a secret is awaited: the dialog cannot be closed. */
  locked?: boolean;
  error: Error | null;
  /** The error in words, where its message is not plain enough. */
  error_words?: string | undefined;
  onConfirm: () => void;
  onClose: () => void;
};

/** Explains an action and asks before it is done. */
export function ConfirmDialog({
  title,
  children,
  action,
  keep = 'Cancel',
  danger = false,
  pending,
  disabled = false,
  locked = false,
  error,
  error_words,
  onConfirm,
  onClose,
}: Props) {
  return (
    <Dialog onClose={onClose} withCloseButton={!locked} title={title}>
      <Stack>
        <Text component="div" size="sm">
          {children}
        </Text>
        {error && <ErrorAlert error={error} {...(error_words ? { words: error_words } : {})} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={locked} data-autofocus>
            {keep}
          </Button>
          <Button
            {...(danger ? { color: 'red' } : {})}
            loading={pending}
            disabled={disabled}
            onClick={onConfirm}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
