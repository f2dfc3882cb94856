import { Modal, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { session, useSession } from '../api/session.ts';
import { SignInForm } from '../pages/sign-in/sign-in-form.tsx';
import { StepUpGate } from './step-up-gate.tsx';

/** Asks for the password above the page once the session has expired. The page keeps its input. */
export function SessionGate({ children }: { children: ReactNode }) {
  const current = useSession();
  const client = useQueryClient();
  const expired = current?.expired ?? false;
  useEffect(() => {
    // Otherwise Escape would close a dialog of the page, with its input.
    const keepDialogs = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && session.current()?.expired) event.stopImmediatePropagation();
    };
    window.addEventListener('keydown', keepDialogs, { capture: true });
    return () => window.removeEventListener('keydown', keepDialogs, { capture: true });
  }, []);
  return (
    <>
      {children}
      <StepUpGate />
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
