import { Alert, Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { ApiError, api } from '../../api/client.ts';
import type { WebhookEndpoint } from '../../api/contract.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { FormButtons } from '../../components/form-buttons.tsx';
import { formatInteger } from '../../text/money.ts';
import { localMinute } from './local-minute.ts';

const DAY_MS = 86_400_000;

type ReplayRequest = { since: string; include_delivered: boolean };

/** Sends deliveries again that the endpoint missed since a time. */
export function Replay({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const { id, wallet_id, enabled, failing_since } = endpoint;
  const client = useQueryClient();
  const [since, setSince] = useState(() =>
    localMinute(failing_since === null ? new Date(Date.now() - DAY_MS) : new Date(failing_since)),
  );
  const [all, setAll] = useState(false);
  const [tried, setTried] = useState(false);
  const replay = useMutation({
    mutationFn: (body: ReplayRequest) => api('replayWebhook', { id: wallet_id, webhook_id: id, body }),
    onSettled: () => client.invalidateQueries({ queryKey: ['wallet', wallet_id, 'webhooks', id] }),
  });
  const from = new Date(since);
  const missing = Number.isNaN(from.getTime());
  const refused = replay.error instanceof ApiError ? replay.error.fieldMessage('since') : null;
  const problem = tried && missing ? 'A date and a time are required.' : refused && `The time ${refused}.`;

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setTried(true);
    if (!missing) replay.mutate({ since: from.toISOString(), include_delivered: all });
  }

  return (
    <Dialog onClose={onClose} title="Replay">
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm">
            Sends past deliveries of this endpoint again, in order, with the same body and webhook-id. Your
            receiver can recognize duplicates by the webhook-id.
          </Text>
          <TextInput
            type="datetime-local"
            label="Since"
            description="In your time zone"
            required
            data-autofocus
            value={since}
            onChange={(event) => {
              setSince(event.currentTarget.value);
              replay.reset();
            }}
            error={problem}
          />
          <Checkbox
            checked={all}
            onChange={(event) => {
              setAll(event.currentTarget.checked);
              replay.reset();
            }}
            label="Include acknowledged deliveries"
            description="For a receiver that lost its data. Otherwise only deliveries without a 2xx response are sent again."
          />
          {replay.error && !refused && <ErrorAlert error={replay.error} />}
          {replay.data && (
            <Alert color={replay.data.count === 0 ? 'gray' : 'teal'} role="status">
              {countWords(replay.data.count, enabled, all)}
            </Alert>
          )}
          <FormButtons
            action="Replay"
            pending={replay.isPending}
            disabled={replay.data !== undefined}
            close={replay.data ? 'Close' : 'Cancel'}
            onClose={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  );
}

function countWords(count: number, enabled: boolean, all: boolean): string {
  if (count === 0)
    return all ? 'There are no deliveries since then.' : 'All deliveries since then are acknowledged.';
  const what = count === 1 ? '1 delivery is' : `${formatInteger(count)} deliveries are`;
  return enabled ? `${what} sent again.` : `${what} sent again when the endpoint is enabled.`;
}
