import { Alert } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, mayHaveTakenEffect } from '../../api/client.ts';
import type { WebhookEndpoint } from '../../api/contract.ts';
import { endpointsQuery } from '../../api/webhooks.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { SecretDialog } from '../../components/secret-dialog.tsx';
import { useSecretMutation } from '../../components/use-secret-mutation.ts';

type Props = { endpoint: WebhookEndpoint; onClose: () => void };

export function DisableEndpoint({ endpoint: { id, wallet_id, url }, onClose }: Props) {
  const client = useQueryClient();
  const disable = useMutation({
    mutationFn: () => api('updateWebhook', { id: wallet_id, webhook_id: id, body: { enabled: false } }),
    onSettled: () => client.invalidateQueries({ queryKey: endpointsQuery(wallet_id).queryKey }),
    onSuccess: onClose,
  });
  return (
    <ConfirmDialog
      title="Disable the endpoint?"
      action="Disable"
      pending={disable.isPending}
      error={disable.error}
      onConfirm={() => disable.mutate()}
      onClose={onClose}
    >
      Nothing is sent to <Url>{url}</Url> until you enable it again. Its events are kept and sent then.
    </ConfirmDialog>
  );
}

export function DeleteEndpoint({ endpoint: { id, wallet_id, url }, onClose }: Props) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => api('deleteWebhook', { id: wallet_id, webhook_id: id }),
    onSuccess: async () => {
      await navigate({ to: '/wallets/$walletId/developers', params: { walletId: wallet_id } });
      await client.invalidateQueries({ queryKey: endpointsQuery(wallet_id).queryKey });
    },
  });
  return (
    <ConfirmDialog
      title="Delete the endpoint?"
      action="Delete"
      danger
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      Pending deliveries to <Url>{url}</Url> are <strong>cancelled</strong> and its signing secret is deleted.
      This cannot be undone. To pause deliveries, disable the endpoint instead.
    </ConfirmDialog>
  );
}

export function RotateSecret({ endpoint: { id, wallet_id, url }, onClose }: Props) {
  const client = useQueryClient();
  const rotate = useSecretMutation(
    {
      mutationFn: () => api('rotateWebhookSecret', { id: wallet_id, webhook_id: id }),
      onSettled: () => client.invalidateQueries({ queryKey: endpointsQuery(wallet_id).queryKey }),
    },
    onClose,
  );
  if (rotate.data)
    return (
      <SecretDialog
        title="New signing secret"
        what="signing secret"
        secret={rotate.data.signing_secret}
        action="Done"
        onStored={onClose}
      >
        X-Svc-Signature uses this secret from now on. Give it to your backend now. In webhook-signature each
        replaced secret keeps signing for 24 hours.
      </SecretDialog>
    );
  const lost = mayHaveTakenEffect(rotate.error);
  return (
    <ConfirmDialog
      title="Rotate the signing secret?"
      action="Rotate"
      danger
      pending={rotate.isPending}
      locked={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate()}
      onClose={rotate.close}
    >
      A new secret for <Url>{url}</Url> is shown once, here.
      <ul>
        <li>
          <code>X-Svc-Signature</code> uses the new secret <strong>at once</strong>, also for retries. A
          receiver that has only the old secret rejects these deliveries. They are retried.
        </li>
        <li>
          <code>webhook-signature</code> (Standard Webhooks) carries the signatures of both secrets for 24
          hours. A receiver that checks it loses no event. If you rotate again, each replaced secret keeps its
          own 24 hours (at most the newest four).
        </li>
      </ul>
      {lost && (
        <Alert color="orange" title="The secret may have changed">
          The response with the new secret was lost. Rotate again to get a secret that you can store. In
          webhook-signature the secret that your backend has keeps its 24 hours.
        </Alert>
      )}
    </ConfirmDialog>
  );
}

function Url({ children }: { children: string }) {
  return <strong style={{ overflowWrap: 'anywhere' }}>{children}</strong>;
}
