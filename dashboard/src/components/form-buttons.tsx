import { Button, Group } from '@mantine/core';
import { KEEP_FOCUS_ON_PRESS } from './keep-focus.ts';

type Props = {
  /** The label of the button that sends the form, a verb. */
  action: string;
  pending: boolean;
  /** A response with a secret is awaited: the form cannot be closed while it is pending. */
  locked?: boolean;
  /** Disables the button that sends the form. */
  disabled?: boolean;
  /** For a form that checks a field when it loses the focus. */
  keeps_focus?: boolean;
  close?: 'Cancel' | 'Close';
  onClose: () => void;
};

/** The end of a form in a dialog: one button closes it, the other sends it. */
export function FormButtons({
  action,
  pending,
  locked = false,
  disabled = false,
  keeps_focus = false,
  close = 'Cancel',
  onClose,
}: Props) {
  return (
    <Group justify="flex-end" {...(keeps_focus && KEEP_FOCUS_ON_PRESS)}>
      <Button variant="default" onClick={onClose} disabled={locked && pending}>
        {close}
      </Button>
      <Button type="submit" loading={pending} disabled={disabled}>
        {action}
      </Button>
    </Group>
  );
}
