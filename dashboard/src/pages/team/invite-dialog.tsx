import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { ApiError, api, mayHaveTakenEffect } from '../../api/client.ts';
import type { NewInvitation } from '../../api/contract.ts';
import { INVITATIONS } from '../../api/team.ts';
import { DateTime } from '../../components/date-time.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { FormButtons } from '../../components/form-buttons.tsx';
import { SecretDialog } from '../../components/secret-dialog.tsx';
import { useSecretMutation } from '../../components/use-secret-mutation.ts';
import { memberErrorWords } from './member-errors.ts';
import { chosenRights, type Rights, type RightsChoice } from './rights.ts';
import { RightsFields } from './rights-fields.tsx';

type Invited = Rights & { email: string };

/** Asks whom to invite and with which rights, then shows the link once, or says that it was mailed. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const invite = useSecretMutation(
    {
      mutationFn: ({ email, role, wallet_ids }: Invited) =>
        api('createInvitation', { body: { email, role, ...(wallet_ids ? { wallet_ids } : {}) } }),
      onSettled: () => client.invalidateQueries({ queryKey: INVITATIONS }),
    },
    onClose,
  );
  if (invite.data) return <LinkDialog invitation={invite.data} onClose={onClose} />;
  return (
    <InviteForm
      pending={invite.isPending}
      error={invite.error}
      onSubmit={(invited) => invite.mutate(invited)}
      onClose={invite.close}
    />
  );
}

function LinkDialog({ invitation, onClose }: { invitation: NewInvitation; onClose: () => void }) {
  const { email, path, expires_at } = invitation;
  const to = <strong style={{ overflowWrap: 'anywhere' }}>{email}</strong>;
  if (path === null)
    return (
      <Dialog title="Invitation" onClose={onClose}>
        <Stack>
          <Text>
            The service has sent the link to {to} by mail. It is valid for 7 days, until{' '}
            <DateTime at={expires_at} />, and works once. If no mail arrives, revoke the invitation and invite
            again within the hour: you get the link then.
          </Text>
          <Button onClick={onClose}>Done</Button>
        </Stack>
      </Dialog>
    );
  return (
    <SecretDialog
      title="Invitation"
      what="invitation link"
      secret={`${window.location.origin}${path}`}
      action="Done"
      confirmation="I have copied the invitation link"
      onStored={onClose}
    >
      Send it to {to} yourself: the service has sent no mail. It is shown only now. It is valid for 7 days,
      until <DateTime at={expires_at} />, and works once. Anybody who has the link can accept it, so send it
      to this person only.
    </SecretDialog>
  );
}

type FormProps = {
  pending: boolean;
  error: Error | null;
  onSubmit: (invited: Invited) => void;
  onClose: () => void;
};

function InviteForm({ pending, error, onSubmit, onClose }: FormProps) {
  const [rights, setRights] = useState<RightsChoice>({ role: null, wallet_ids: null });
  const [tried, setTried] = useState(false);
  const of = (field: string) => (error instanceof ApiError ? error.fieldMessage(field) : null);
  const [email_fault, wallets_fault] = [of('email'), of('wallet_ids')];

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setTried(true);
    const email = String(new FormData(event.currentTarget).get('email')).trim();
    const chosen = chosenRights(rights);
    if (chosen) onSubmit({ email, ...chosen });
  }

  return (
    <Dialog
      onClose={onClose}
      withCloseButton={!pending}
      closeOnClickOutside={false}
      title="Invite to the team"
      size="lg"
    >
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            name="email"
            inputMode="email" // type="email" takes letters of ASCII only
            autoCapitalize="none"
            spellCheck={false}
            label="E-mail"
            required
            maxLength={254}
            autoComplete="off"
            data-autofocus
            error={email_fault && `The e-mail ${email_fault}.`}
          />
          <RightsFields
            rights={rights}
            tried={tried}
            refused={wallets_fault && `The wallets: ${wallets_fault}.`}
            onChange={setRights}
          />
          {error && !email_fault && !wallets_fault && (
            <ErrorAlert error={error} words={memberErrorWords(error)} />
          )}
          {mayHaveTakenEffect(error) && (
            <Alert color="orange" title="The invitation may have been made">
              The answer with its link was lost. Revoke the invitation if it is in the list, and invite again.
            </Alert>
          )}
          <Text size="sm" c="dimmed">
            A service with a mail server sends a link to the address. Otherwise you get the link.
          </Text>
          <FormButtons action="Create the link" pending={pending} locked onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
