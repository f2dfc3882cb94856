import { Button, Group, Modal, Text } from '@mantine/core';
import { useEffect } from 'react';
import { api } from '../api/client.ts';
import { useAskedFactor } from '../api/step-up.ts';
import { ProofForm } from '../components/proof-form.tsx';

/** Asks for a second factor above the page. Then the request that was refused is sent again. */
export function StepUpGate() {
  const asked = useAskedFactor();
  useEffect(() => {
    if (!asked) return;
    // Otherwise Escape would close a dialog of the page too, with its input.
    const cancel = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopImmediatePropagation();
      asked.done(false);
    };
    window.addEventListener('keydown', cancel, { capture: true });
    return () => window.removeEventListener('keydown', cancel, { capture: true });
  }, [asked]);
  if (!asked) return null;
  const { methods, done } = asked;
  return (
    <Modal
      opened
      onClose={() => done(false)}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      title="Confirm that it is you"
      zIndex={ABOVE_DIALOGS}
    >
      <Text size="sm" mb="md">
        This needs a second factor, proven within the last ten minutes. Nothing has been done yet.
      </Text>
      <ProofForm
        methods={methods}
        passkeyOptions={() => api('beginPasskeyStepUp', {})}
        prove={async (body) => {
          await api('stepUp', { body });
          done(true);
        }}
      />
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={() => done(false)}>
          Cancel
        </Button>
      </Group>
    </Modal>
  );
}

/** Below the question for the password of a session that has ended. */
const ABOVE_DIALOGS = 390;
