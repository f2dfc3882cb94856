import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Session } from '../../api/contract.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';

/** The key of the list of sessions. */
export const SESSIONS = ['sessions'];

export function EndSession({ session, onClose }: { session: Session; onClose: () => void }) {
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: () => api('endSession', { session_id: session.id }),
    onSettled: () => client.invalidateQueries({ queryKey: SESSIONS }),
    onSuccess: onClose,
  });
  return (
    <ConfirmDialog
      title="End this session?"
      action="End session"
      danger
      pending={end.isPending}
      error={end.error}
      onConfirm={() => end.mutate()}
      onClose={onClose}
    >
      <strong style={{ overflowWrap: 'anywhere' }}>{session.device ?? 'An unknown device'}</strong>
      {session.ip !== null && ` at ${session.ip}`} is signed out <strong>at once</strong>. Withdrawals that
      were accepted before continue.
    </ConfirmDialog>
  );
}

/** All but the one of this browser. */
export function EndOthers({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: () => api('endOtherSessions', {}),
    onSettled: () => client.invalidateQueries({ queryKey: SESSIONS }),
    onSuccess: ({ ended }) => {
      onClose();
      const message = ended === 1 ? 'One session has ended.' : `${ended} sessions have ended.`;
      notifications.show({ color: 'teal', title: 'Only this session is open', message });
    },
  });
  return (
    <ConfirmDialog
      title="End all other sessions?"
      action="End all others"
      danger
      pending={end.isPending}
      error={end.error}
      onConfirm={() => end.mutate()}
      onClose={onClose}
    >
      Every other browser and program is signed out <strong>at once</strong>. You stay signed in here.
      Programs must log in again. API keys do not change.
    </ConfirmDialog>
  );
}
