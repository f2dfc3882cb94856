import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { approvalsQuery } from '../../api/approvals.ts';
import { api, mayHaveTakenEffect } from '../../api/client.ts';
import type { AccessChange, WebhookEndpoint } from '../../api/contract.ts';
import type { Given, OperationId } from '../../api/operations.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { SecretDialog } from '../../components/secret-dialog.tsx';
import { useSecretMutation } from '../../components/use-secret-mutation.ts';
import { accessChangeTitle } from '../../text/access-changes.ts';
import { MadeEndpoints } from '../developers/made-endpoints.tsx';

type DialogProps = { change: AccessChange; body: Record<string, unknown>; onClose: () => void };

/**
 * For the requester of an approved change of access: sends the request again, and shows what is shown once. The page keeps the
 * dialog, because the change leaves the list with the request.
 */
export function CarryOutDialog({ change, body, onClose }: DialogProps) {
  const client = useQueryClient();
  const done = () => {
    void client.invalidateQueries();
    onClose();
  };
  const send = useSecretMutation(
    {
      mutationFn: () =>
        api(change.operation as OperationId, { ...pathOf(change), body } as Given<OperationId>),
      onSettled: () => client.invalidateQueries({ queryKey: approvalsQuery.queryKey }),
    },
    onClose,
  );
  if (send.data) return <Outcome change={change} data={send.data as Shown} onClose={done} />;
  return (
    <ConfirmDialog
      title={`${accessChangeTitle(change)}?`}
      action="Carry out"
      pending={send.isPending}
      locked={send.isPending}
      error={send.error}
      onConfirm={() => send.mutate()}
      onClose={send.close}
    >
      {change.approvals_required === 0
        ? 'It needs no approvals any more.'
        : 'Other members have approved this.'}{' '}
      It happens now.
      {mayHaveTakenEffect(send.error) &&
        ' The answer was lost: look whether it was carried out before you ask for it again.'}
    </ConfirmDialog>
  );
}

/** What an operation shows once. */
type Shown = {
  api_key?: string;
  client_secret?: string | null;
  path?: string;
  client_id?: string;
  endpoints?: WebhookEndpoint[];
};

function Outcome({ change, data, onClose }: { change: AccessChange; data: Shown; onClose: () => void }) {
  const [what, secret] = secretOf(data);
  const [stored, store] = useDisclosure();
  const { endpoints = [] } = data;
  if (stored && endpoints.length > 0)
    return <MadeEndpoints endpoints={endpoints} what="The old key" onClose={onClose} />;
  if (secret === null)
    return (
      <ConfirmDialog
        title="Done"
        action="Close"
        pending={false}
        error={null}
        onConfirm={onClose}
        onClose={onClose}
      >
        {accessChangeTitle(change)}: it is in force.
      </ConfirmDialog>
    );
  return (
    <SecretDialog
      title={accessChangeTitle(change)}
      what={what}
      secret={secret}
      action="Done"
      onStored={endpoints.length > 0 ? store.open : onClose}
    >
      {data.client_id ? `The client id is ${data.client_id}. ` : ''}
      It is shown only here.
    </SecretDialog>
  );
}

function secretOf({ api_key, client_secret, path }: Shown): [what: string, secret: string | null] {
  if (api_key) return ['API key', api_key];
  if (client_secret) return ['client secret', client_secret];
  return ['invitation link', path ? `${location.origin}${path}` : null];
}

function pathOf({ operation, wallet_id, target_id }: AccessChange): Record<string, string> {
  if (wallet_id !== null) return { id: wallet_id };
  if (target_id === null) return {};
  if (operation === 'changeMember') return { user_id: target_id };
  return operation === 'changePayee' ? { payee_id: target_id } : { service_user_id: target_id };
}
