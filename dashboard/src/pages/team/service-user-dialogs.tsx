import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { ServiceUser } from '../../api/contract.ts';
import { serviceUsersQuery } from '../../api/team.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { isolated } from '../../text/isolate.ts';
import { MadeEndpoints } from '../developers/made-endpoints.tsx';

type Props = { service_user: ServiceUser; onClose: () => void };

function useEnabled({ service_user: { id }, onClose }: Props, enabled: boolean) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api('changeServiceUser', { service_user_id: id, body: { enabled } }),
    onSettled: () => client.invalidateQueries({ queryKey: serviceUsersQuery.queryKey }),
    onSuccess: ({ endpoints }) => (enabled || endpoints.length === 0) && onClose(),
  });
}

export function DisableServiceUser(props: Props) {
  const disable = useEnabled(props, false);
  if (disable.data)
    return (
      <MadeEndpoints
        endpoints={disable.data.endpoints}
        what={`The disabled service user ${isolated(props.service_user.name)}`}
        of="service user"
        onClose={props.onClose}
      />
    );
  return (
    <ConfirmDialog
      title={`Disable ${isolated(props.service_user.name)}?`}
      action="Disable"
      danger
      pending={disable.isPending}
      error={disable.error}
      onConfirm={() => disable.mutate()}
      onClose={props.onClose}
    >
      Its tokens end <strong>at once</strong>, and it gets no new one until you enable it. Withdrawals that
      were accepted before continue. Its secrets and keys stay. Endpoints that it has registered go on; they
      are listed afterwards.
    </ConfirmDialog>
  );
}

export function EnableServiceUser(props: Props) {
  const enable = useEnabled(props, true);
  return (
    <ConfirmDialog
      title={`Enable ${isolated(props.service_user.name)}?`}
      action="Enable"
      pending={enable.isPending}
      error={enable.error}
      onConfirm={() => enable.mutate()}
      onClose={props.onClose}
    >
      It can get tokens again, with the secrets and keys that it has.
    </ConfirmDialog>
  );
}

export function RemoveServiceUser({ service_user: { id, name }, onClose }: Props) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api('removeServiceUser', { service_user_id: id }),
    onSettled: () => client.invalidateQueries({ queryKey: serviceUsersQuery.queryKey }),
    onSuccess: ({ endpoints }) => endpoints.length === 0 && onClose(),
  });
  if (remove.data)
    return (
      <MadeEndpoints
        endpoints={remove.data.endpoints}
        what={`The removed service user ${isolated(name)}`}
        of="service user"
        onClose={onClose}
      />
    );
  return (
    <ConfirmDialog
      title={`Remove ${isolated(name)}?`}
      action="Remove"
      danger
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      Its secrets, keys and tokens end <strong>at once</strong>, for ever. Withdrawals that were accepted
      before continue. Endpoints that it has registered go on; they are listed afterwards.
    </ConfirmDialog>
  );
}
