import { Alert, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { api, mayHaveTakenEffect } from '../../api/client.ts';
import { factorsQuery } from '../../api/factors.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { SecretDialog } from '../../components/secret-dialog.tsx';
import { useSecretMutation } from '../../components/use-secret-mutation.ts';

/** How many recovery codes are left, and their replacement. */
export function RecoveryCodesRow({ left }: { left: number }) {
  const [replacing, replace] = useDisclosure();
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm">
        {left === 0 ? 'No recovery code is left' : `Recovery codes left: ${left}`}. Each stands in once for a
        lost factor.
      </Text>
      <Button variant="default" size="xs" onClick={replace.open}>
        Replace recovery codes
      </Button>
      {replacing && <ReplaceCodes onClose={replace.close} />}
    </Group>
  );
}

function ReplaceCodes({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const replace = useSecretMutation(
    {
      mutationFn: () => api('replaceRecoveryCodes', {}),
      onSettled: () => client.invalidateQueries({ queryKey: factorsQuery.queryKey }),
    },
    onClose,
  );
  if (replace.data) return <NewRecoveryCodes codes={replace.data.recovery_codes} onStored={onClose} />;
  return (
    <ConfirmDialog
      title="Replace the recovery codes?"
      action="Replace"
      pending={replace.isPending}
      locked={replace.isPending}
      error={replace.error}
      onConfirm={() => replace.mutate()}
      onClose={replace.close}
    >
      The codes that you have <strong>stop working at once</strong>. Ten new ones are shown once, here.
      {mayHaveTakenEffect(replace.error) && (
        <Alert color="orange" mt="md" title="The old codes may no longer work">
          The response with the new codes was lost. Replace them again.
        </Alert>
      )}
    </ConfirmDialog>
  );
}

export function NewRecoveryCodes({ codes, onStored }: { codes: string[]; onStored: () => void }) {
  return (
    <SecretDialog
      title="Your recovery codes"
      what="recovery codes"
      secret={codes.join('\n')}
      action="Done"
      onStored={onStored}
      confirmation="I have stored the recovery codes in a safe place"
    >
      Each code signs you in once when you have lost your factor. Keep them where your password is not.
      Without a factor and a code, only the operator of this service can let you in.
    </SecretDialog>
  );
}
