import { Modal, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { session, useSession } from '../api/session.ts';
import { SignInForm } from '../pages/sign-in/sign-in-form.tsx';

/** When the session has expired, asks for the password above the page: what was typed there stays. */
export function SessionGate({ children }: { children: ReactNode }) {
  const current = useSession();
  const client = useQueryClient();
  const expired = current?.expired ?? false;
  useEffect(() => {
    // A dialog of the page listens on the window as well, and would close, with what was typed in it.
    const keepDialogs = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && session.current()?.expired) event.stopImmediatePropagation();
    };
    window.addEventListener('keydown', keepDialogs, { capture: true });
    return () => window.removeEventListener('keydown', keepDialogs, { capture: true });
  }, []);
  return (
    <>
      {children}
      <Modal
        opened={expired}
        onClose={() => undefined}
        withCloseButton={false}
        closeOnClickOutside={false}
        closeOnEscape={false}
        title="Your session has ended"
        zIndex={ABOVE_DIALOGS}
      >
        <Text size="sm" mb="md">
          Sign in again to continue where you left off.
        </Text>
        {current && (
          <SignInForm email={current.user.email} onSignedIn={() => void client.invalidateQueries()} />
        )}
      </Modal>
    </>
  );
}

const ABOVE_DIALOGS = 400;
