import { Alert } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, mayBeDone } from '../../api/client.ts';
import type { WebhookEndpoint } from '../../api/contract.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { useHeldOrder } from '../../parts/held-order.ts';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { endpointsQuery } from './queries.ts';

type Props = { endpoint: WebhookEndpoint; onClose: () => void };

export function DisableEndpoint({ endpoint: { id, wallet_id, url }, onClose }: Props) {
  const client = useQueryClient();
  const disable = useMutation({
    mutationFn: () => api('updateWebhook', { id: wallet_id, webhook_id: id, body: { enabled: false } }),
    onSettled: () => client.invalidateQueries({ queryKey: endpointsQuery(wallet_id).queryKey }),
    onSuccess: onClose,
  });
  return (
    <Confirm
      title="Disable the endpoint?"
      action="Disable"
      pending={disable.isPending}
      error={disable.error}
      onConfirm={() => disable.mutate()}
      onClose={onClose}
    >
      Nothing more is sent to <Url>{url}</Url> until you enable it again. Its events are kept, and go out
      then.
    </Confirm>
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
    <Confirm
      title="Delete the endpoint?"
      action="Delete"
      danger
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      What <Url>{url}</Url> still had to get is <strong>given up</strong>, and its signing secret is gone:
      this cannot be undone. To stop for a while, disable it instead.
    </Confirm>
  );
}

export function RotateSecret({ endpoint: { id, wallet_id, url }, onClose }: Props) {
  const client = useQueryClient();
  const rotate = useHeldOrder(
    {
      mutationFn: () => api('rotateWebhookSecret', { id: wallet_id, webhook_id: id }),
      onSettled: () => client.invalidateQueries({ queryKey: endpointsQuery(wallet_id).queryKey }),
    },
    onClose,
  );
  if (rotate.data)
    return (
      <ShownOnce
        title="New signing secret"
        what="signing secret"
        secret={rotate.data.signing_secret}
        action="Done"
        onStored={onClose}
      >
        X-Svc-Signature is made with it from now on: give it to your backend now. In webhook-signature each
        old one signs beside it until 24 hours after it was replaced.
      </ShownOnce>
    );
  const lost = mayBeDone(rotate.error);
  return (
    <Confirm
      title="Rotate the signing secret?"
      action="Rotate"
      danger
      pending={rotate.isPending}
      held={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate()}
      onClose={rotate.close}
    >
      A new secret for <Url>{url}</Url> is shown once, here.
      <ul>
        <li>
          <code>X-Svc-Signature</code> is made with the new secret <strong>at once</strong>, for retries too.
          A receiver that knows only the old one refuses them; they are tried again.
        </li>
        <li>
          <code>webhook-signature</code> (Standard Webhooks) has the signatures of both for 24 hours: a
          receiver that checks this one misses nothing. If you rotate again, each secret that was replaced (of
          more than four the newest) keeps its own 24 hours.
        </li>
      </ul>
      {lost && (
        <Alert color="orange" title="The secret may be another already">
          The answer with the new secret was lost. Rotate again to get one that you know: in webhook-signature
          the secret that your backend has keeps its 24 hours.
        </Alert>
      )}
    </Confirm>
  );
}

function Url({ children }: { children: string }) {
  return <strong style={{ overflowWrap: 'anywhere' }}>{children}</strong>;
}
