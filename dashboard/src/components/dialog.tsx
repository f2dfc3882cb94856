import { Modal, type ModalProps } from '@mantine/core';
import { useLayoutEffect } from 'react';

type Props = Omit<ModalProps, 'opened' | 'returnFocus'>;

/** A dialog that is mounted only while it is open. Closing it returns the focus to the element that opened it. */
export function Dialog(props: Props) {
  useFocusBack();
  return <Modal opened {...props} />;
}

/** Mantine returns the focus only for dialogs that stay mounted while closed. */
function useFocusBack(): void {
  useLayoutEffect(() => {
    const opener = openerOf(document.activeElement);
    return () => {
      // Before the dialog unmounts: a dialog that replaces it must find the same opener.
      opener?.focus({ preventScroll: true });
      setTimeout(() => {
        // The opener is gone too, like the row of an assigned deposit.
        if (document.activeElement === document.body)
          document.getElementById('page')?.focus({ preventScroll: true });
      });
    };
  }, []);
}

/** A menu item disappears with its menu: the focus returns to the menu's button. */
function openerOf(focused: Element | null): HTMLElement | null {
  const button = focused?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  const opener = button ? document.getElementById(button) : focused;
  return opener instanceof HTMLElement ? opener : null;
}
