import { Alert, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { ApiError, api } from '../../api/client.ts';
import type { Me, Member } from '../../api/contract.ts';
import { meQuery, useMe } from '../../api/me.ts';
import { INVITATIONS, MEMBERS } from '../../api/team.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { FormButtons } from '../../components/form-buttons.tsx';
import { forgetUser } from '../../shell/forget-user.ts';
import { isolated } from '../../text/isolate.ts';
import { KnownPrograms } from './known-programs.tsx';
import { memberErrorWords } from './member-errors.ts';
import { chosenRights, type Rights, type RightsChoice } from './rights.ts';
import { RightsFields } from './rights-fields.tsx';

type Props = { member: Member; onClose: () => void };

/** After a change of members: a member who leaves or gets another role loses the invitations that they made. */
function useReadTeamAgain(): () => void {
  const client = useQueryClient();
  return () => {
    for (const queryKey of [MEMBERS, INVITATIONS, meQuery.queryKey])
      void client.invalidateQueries({ queryKey });
  };
}

/** Gives a member another role, or other wallets. */
export function ChangeMember({ member, onClose }: Props) {
  const [rights, setRights] = useState<RightsChoice>(member);
  const [tried, setTried] = useState(false);
  const readTeamAgain = useReadTeamAgain();
  const isOwn = useMe()?.id === member.user_id;
  const change = useMutation({
    mutationFn: ({ role, wallet_ids }: Rights) => {
      const wallets = wallet_ids ? { wallet_ids } : ({ all_wallets: true } as const);
      return api('changeMember', { user_id: member.user_id, body: { role, ...wallets } });
    },
    onSettled: readTeamAgain,
    onSuccess: onClose,
  });
  const isOtherRole = rights.role !== member.role;
  const refused = change.error instanceof ApiError ? change.error.fieldMessage('wallet_ids') : null;

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setTried(true);
    const chosen = chosenRights(rights);
    if (chosen) change.mutate(chosen);
  }

  return (
    <Dialog onClose={onClose} closeOnClickOutside={false} title={`Rights of ${isolated(member.name)}`}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <RightsFields
            rights={rights}
            tried={tried}
            refused={refused && `The wallets: ${refused}.`}
            onChange={(to) => {
              setRights({ role: to.role, wallet_ids: to.wallet_ids });
              change.reset();
            }}
          />
          <Text size="sm">
            The rights apply from the next request. The sessions stay.
            {isOtherRole &&
              ` With another role, open invitations that ${isOwn ? 'you' : 'this member'} made are revoked.`}
          </Text>
          {isOwn && isOtherRole && (
            <Alert color="orange" title="You change your own role">
              You may be unable to take this back: only an owner or admin can give you the role again.
            </Alert>
          )}
          {change.error && !refused && (
            <ErrorAlert error={change.error} words={memberErrorWords(change.error)} />
          )}
          <FormButtons action="Save" pending={change.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

export function RemoveMember({ member: { user_id, name, email }, onClose }: Props) {
  const readTeamAgain = useReadTeamAgain();
  const remove = useMutation({
    mutationFn: () => api('removeMember', { user_id }),
    onSettled: readTeamAgain,
    onSuccess: ({ service_users }) => service_users.length === 0 && onClose(),
  });
  if (remove.data)
    return <KnownPrograms name={name} service_users={remove.data.service_users} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={`Remove ${isolated(name)}?`}
      action="Remove from the team"
      danger
      pending={remove.isPending}
      error={remove.error}
      error_words={remove.error ? memberErrorWords(remove.error) : undefined}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <strong style={{ overflowWrap: 'anywhere' }}>{email}</strong> loses access <strong>at once</strong>: all
      sessions end, open invitations that this member made are revoked, and the user cannot log in until a
      team invites them. Withdrawals that were accepted before continue. API keys do not change: regenerate
      those that the member knows. Service users go on: those with a secret or a key that the member knows are
      listed afterwards.
    </ConfirmDialog>
  );
}

/** Leaves the team, and so ends the session. */
export function LeaveTeam({ me, onClose }: { me: Me; onClose: () => void }) {
  const navigate = useNavigate();
  const leave = useMutation({
    mutationFn: () => api('removeMember', { user_id: me.id }),
    onSuccess: async () => {
      forgetUser();
      await navigate({ to: '/login' });
      notifications.show({
        color: 'teal',
        title: 'You have left the team',
        message: 'You can log in again after a team has invited you.',
      });
    },
  });
  return (
    <ConfirmDialog
      title="Leave the team?"
      action="Leave team"
      danger
      pending={leave.isPending}
      error={leave.error}
      error_words={leave.error ? memberErrorWords(leave.error) : undefined}
      onConfirm={() => leave.mutate()}
      onClose={onClose}
    >
      You lose access to the wallets of {isolated(me.team.name)} <strong>at once</strong>. All your sessions
      end, and open invitations that you made are revoked. You cannot log in until a team invites you.
    </ConfirmDialog>
  );
}
