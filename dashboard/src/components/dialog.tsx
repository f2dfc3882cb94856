import { Modal, type ModalProps } from '@mantine/core';
import { useLayoutEffect } from 'react';

type Props = Omit<ModalProps, 'opened' | 'returnFocus'>;

/** A dialog that is there as long as it is open. Who closes it is again at the button that has opened it. */
export function Dialog(props: Props) {
  useFocusBack();
  return <Modal opened {...props} />;
}

/** Mantine's own gives the focus back to dialogs that are there while they are closed, too. */
function useFocusBack(): void {
  useLayoutEffect(() => {
    const opener = openerOf(document.activeElement);
    return () => {
      // Before the dialog is gone: another one that takes its place has the same opener.
      opener?.focus({ preventScroll: true });
      setTimeout(() => {
        // What opened it went with it, like the row of a deposit that is assigned.
        if (document.activeElement === document.body)
          document.getElementById('page')?.focus({ preventScroll: true });
      });
    };
  }, []);
}

/** An item of a menu is gone with its menu: the menu's button. */
function openerOf(focused: Element | null): HTMLElement | null {
  const button = focused?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  const opener = button ? document.getElementById(button) : focused;
  return opener instanceof HTMLElement ? opener : null;
}
