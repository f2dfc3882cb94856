import { Alert, Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { ApiError, api, mayHaveTakenEffect } from '../../api/client.ts';
import type { WebhookEndpoint } from '../../api/contract.ts';
import { endpointsQuery } from '../../api/webhooks.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { FormButtons } from '../../components/form-buttons.tsx';
import { SecretDialog } from '../../components/secret-dialog.tsx';
import { useSecretMutation } from '../../components/use-secret-mutation.ts';
import { EVENT_TYPES, EVENT_WORDS, type EventType } from '../../text/event-types.ts';

type Typed = { url: string; description: string; events: EventType[] };

/** Asks for a URL, then shows the signing secret until it is stored. */
export function AddEndpoint({ walletId, onClose }: { walletId: string; onClose: () => void }) {
  const client = useQueryClient();
  const add = useSecretMutation(
    {
      mutationFn: ({ description, ...typed }: Typed) =>
        api('registerWebhook', { id: walletId, body: { ...typed, ...(description ? { description } : {}) } }),
      // Also after an error: if the connection was lost, the endpoint may exist.
      onSettled: () => client.invalidateQueries({ queryKey: endpointsQuery(walletId).queryKey }),
    },
    onClose,
  );
  if (add.data)
    return (
      <SecretDialog
        title="Endpoint added"
        what="signing secret"
        secret={add.data.signing_secret}
        action="Done"
        onStored={onClose}
      >
        Your backend uses it to verify that a delivery comes from this service and was not changed. See
        “Verify a signature” under Examples. If it is lost or exposed, rotate it.
      </SecretDialog>
    );
  const lost = mayHaveTakenEffect(add.error);
  return (
    <EndpointForm
      title="Add a webhook endpoint"
      action="Add endpoint"
      pending={add.isPending}
      error={add.error}
      onSubmit={(typed) => add.mutate(typed)}
      onClose={add.close}
    >
      {lost && (
        <Alert color="orange" title="The endpoint may have been added">
          Check the list of endpoints before you try again. If it is there, rotate its secret to get a new
          one.
        </Alert>
      )}
    </EndpointForm>
  );
}

export function EditEndpoint({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const client = useQueryClient();
  const edit = useMutation({
    mutationFn: (body: Typed) =>
      api('updateWebhook', { id: endpoint.wallet_id, webhook_id: endpoint.id, body }),
    onSettled: () => client.invalidateQueries({ queryKey: endpointsQuery(endpoint.wallet_id).queryKey }),
    onSuccess: onClose,
  });
  return (
    <EndpointForm
      title="Edit the endpoint"
      action="Save"
      endpoint={endpoint}
      pending={edit.isPending}
      error={edit.error}
      onSubmit={(typed) => edit.mutate(typed)}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        Pending deliveries go to the new URL, signed with the same secret. Another choice of events counts for
        what happens from now on.
      </Text>
    </EndpointForm>
  );
}

type FormProps = {
  title: string;
  action: string;
  endpoint?: WebhookEndpoint;
  pending: boolean;
  error: Error | null;
  children: ReactNode;
  onSubmit: (typed: Typed) => void;
  onClose: () => void;
};

function EndpointForm({ title, action, endpoint, pending, error, children, onSubmit, onClose }: FormProps) {
  const [events, setEvents] = useState<string[]>(endpoint?.events ?? ['deposit.created']);
  const [tried, setTried] = useState(false);
  const url = faultOf(error, 'url', 'The URL');
  const description = faultOf(error, 'description', 'The description');

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setTried(true);
    if (events.length === 0) return;
    const typed = new FormData(event.currentTarget);
    onSubmit({
      url: String(typed.get('url')).trim(),
      description: String(typed.get('description')).trim(),
      events: EVENT_TYPES.filter((type) => events.includes(type)),
    });
  }

  return (
    <Dialog
      onClose={() => !pending && onClose()}
      closeOnClickOutside={false}
      withCloseButton={!pending}
      title={title}
      size="lg"
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            name="url"
            label="URL"
            description="Public http(s) URL. Each event is sent by POST. Any 2xx response within 15 s acknowledges it."
            placeholder="https://api.example.com/stellar-teller"
            defaultValue={endpoint?.url ?? ''}
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            required
            data-autofocus
            error={url}
          />
          {url && isNotPublic(error) && (
            <Text size="sm">
              A receiver on your own machine needs no endpoint: see <code>npx teller listen</code> under
              Examples. The operator of this service can allow a receiver in a private network
              (WEBHOOK_ALLOWED_HOSTS).
            </Text>
          )}
          <TextInput
            name="description"
            label="Description"
            description="For your reference"
            defaultValue={endpoint?.description ?? ''}
            autoComplete="off"
            error={description}
          />
          <Checkbox.Group
            label="Events"
            value={events}
            onChange={setEvents}
            error={tried && events.length === 0 ? 'Choose at least one event.' : null}
          >
            <Stack gap="xs" my="xs">
              {EVENT_TYPES.map((type) => (
                <Checkbox key={type} value={type} label={type} description={EVENT_WORDS[type]} />
              ))}
            </Stack>
          </Checkbox.Group>
          {children}
          {error && !url && !description && <ErrorAlert error={error} />}
          <FormButtons action={action} pending={pending} locked onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

/** The problem of a field, as a sentence. */
function faultOf(error: Error | null, field: string, name: string): string | null {
  const fault = error instanceof ApiError ? error.fieldMessage(field) : null;
  return fault === null ? null : `${name} ${fault}.`;
}

function isNotPublic(error: Error | null): boolean {
  return error instanceof ApiError && /not (a )?public/.test(error.fieldMessage('url') ?? '');
}
