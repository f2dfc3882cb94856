import { Modal, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSession } from '../api/session.ts';
import { SignInForm } from '../pages/sign-in/sign-in-form.tsx';

/** When the session has expired, asks for the password above the page: what was typed there stays. */
export function SessionGate({ children }: { children: ReactNode }) {
  const current = useSession();
  const client = useQueryClient();
  return (
    <>
      {children}
      <Modal
        opened={current?.expired ?? false}
        onClose={() => undefined}
        withCloseButton={false}
        closeOnClickOutside={false}
        closeOnEscape={false}
        title="Your session has ended"
      >
        <Text size="sm" mb="md">
          Sign in again and go on where you were.
        </Text>
        {current && (
          <SignInForm email={current.user.email} onSignedIn={() => void client.invalidateQueries()} />
        )}
      </Modal>
    </>
  );
}
