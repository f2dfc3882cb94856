import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { ErrorAlert } from './error-alert.tsx';

type Props = {
  title: string;
  children: ReactNode;
  /** What the button does, as a verb. */
  action: string;
  danger?: boolean;
  pending: boolean;
  /** It cannot be done, as the children say. */
  disabled?: boolean;
  /** Its answer, which is shown this once, is on its way: `onClose` does nothing. */
  held?: boolean;
  error: Error | null;
  onConfirm: () => void;
  onClose: () => void;
};

/** Says what will happen before it does. */
export function ConfirmDialog({
  title,
  children,
  action,
  danger = false,
  pending,
  disabled = false,
  held = false,
  error,
  onConfirm,
  onClose,
}: Props) {
  return (
    <Dialog onClose={onClose} withCloseButton={!held} title={title}>
      <Stack>
        <Text component="div" size="sm">
          {children}
        </Text>
        {error && <ErrorAlert error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={held} data-autofocus>
            Cancel
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
