import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Failure } from './failure.tsx';

type Props = {
  opened: boolean;
  title: string;
  children: ReactNode;
  /** What the button does, as a verb. */
  action: string;
  danger?: boolean;
  pending: boolean;
  error: Error | null;
  onConfirm: () => void;
  onClose: () => void;
};

/** Says what will happen before it does. */
export function Confirm({
  opened,
  title,
  children,
  action,
  danger = false,
  pending,
  error,
  onConfirm,
  onClose,
}: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <Stack>
        <Text component="div" size="sm">
          {children}
        </Text>
        {error && <Failure error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button {...(danger ? { color: 'red' } : {})} loading={pending} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
