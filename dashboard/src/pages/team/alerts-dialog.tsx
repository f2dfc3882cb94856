import { ActionIcon, Alert, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { alertsQuery } from '../../api/alerts.ts';
import { ApiError, api, mayHaveTakenEffect } from '../../api/client.ts';
import type { AlertKind, Alerts } from '../../api/contract.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { FormButtons } from '../../components/form-buttons.tsx';
import { SecretDialog } from '../../components/secret-dialog.tsx';
import { useSecretMutation } from '../../components/use-secret-mutation.ts';
import { ALERT_KINDS, kindInWords } from '../../text/alert-kinds.ts';
import { amountsInBody } from '../../text/typed-amounts.ts';
import { type Problems, readPayments, type TypedPayment, typedOf } from './large-payments.ts';

/** What is sent in any case cannot be chosen. */
const CHOOSABLE = ALERT_KINDS.filter((kind) => kind !== 'alerts_changed');

type Wanted = Pick<Alerts, 'url' | 'large_payments'> & { kinds: AlertKind[] | null };

/** Asks for all settings, then shows the signing secret if there is a new one. */
export function AlertsDialog({ alerts, onClose }: { alerts: Alerts; onClose: () => void }) {
  const client = useQueryClient();
  const save = useSecretMutation(
    {
      mutationFn: async ({ url, kinds, large_payments }: Wanted) => {
        const amounts = amountsInBody(large_payments);
        const body = { large_payments: amounts, ...(url !== null && { url }), ...(kinds && { kinds }) };
        const saved = await api('replaceAlerts', { body });
        if (saved.signing_secret === null) onClose();
        return saved;
      },
      onSettled: () => client.invalidateQueries({ queryKey: alertsQuery.queryKey }),
    },
    onClose,
  );
  const secret = save.data?.signing_secret;
  if (secret) return <AlertSecret secret={secret} onStored={onClose} />;
  return (
    <AlertsForm
      alerts={alerts}
      pending={save.isPending}
      error={save.error}
      onSubmit={(wanted) => save.mutate(wanted)}
      onClose={save.close}
    />
  );
}

export function AlertSecret({ secret, onStored }: { secret: string; onStored: () => void }) {
  return (
    <SecretDialog
      title="Signing secret of the alerts"
      what="signing secret"
      secret={secret}
      action="Done"
      onStored={onStored}
    >
      Your system uses it to verify that an alert comes from this service and was not changed, as for other
      webhooks. If it is lost or exposed, replace it.
    </SecretDialog>
  );
}

type FormProps = {
  alerts: Alerts;
  pending: boolean;
  error: Error | null;
  onSubmit: (wanted: Wanted) => void;
  onClose: () => void;
};

function AlertsForm({ alerts, pending, error, onSubmit, onClose }: FormProps) {
  const [every, setEvery] = useState(alerts.kinds === null);
  const [kinds, setKinds] = useState<string[]>(alerts.kinds ?? CHOOSABLE);
  const [rows, setRows] = useState(() => typedOf(alerts.large_payments));
  const [tried, setTried] = useState(false);
  const { payments, problems } = readPayments(rows);
  const fault = error instanceof ApiError ? error.fieldMessage('url') : null;

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setTried(true);
    const url = String(new FormData(event.currentTarget).get('url')).trim();
    const chosen = ALERT_KINDS.filter((kind) => kinds.includes(kind));
    if (payments)
      onSubmit({ url: url === '' ? null : url, kinds: every ? null : chosen, large_payments: payments });
  }

  return (
    <Dialog
      onClose={onClose}
      closeOnClickOutside={false}
      withCloseButton={!pending}
      title="Change alerts"
      size="lg"
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            name="url"
            label="URL of your webhook"
            description="Public http(s) URL, or empty. Each alert is sent by POST and signed. Another URL gets another signing secret."
            placeholder="https://api.example.com/alerts"
            defaultValue={alerts.url ?? ''}
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            error={fault && `The URL ${fault}.`}
          />
          <Checkbox
            checked={every}
            onChange={(event) => setEvery(event.currentTarget.checked)}
            label="Alert of everything"
          />
          {!every && (
            <Checkbox.Group label="Alert of" value={kinds} onChange={setKinds}>
              <Stack gap="xs" mt="xs">
                {CHOOSABLE.map((kind) => (
                  <Checkbox key={kind} value={kind} label={kindInWords(kind)} />
                ))}
              </Stack>
            </Checkbox.Group>
          )}
          <LargePayments rows={rows} problems={tried ? problems : NO_PROBLEMS} onChange={setRows} />
          {error && !fault && <ErrorAlert error={error} />}
          {mayHaveTakenEffect(error) && (
            <Alert color="orange" title="The alerts may have been changed">
              The answer was lost. If the URL is new, replace the signing secret to get one.
            </Alert>
          )}
          <FormButtons action="Save" pending={pending} locked onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

const NO_PROBLEMS: ReadonlyMap<number, Problems> = new Map();

type LargePaymentsProps = {
  rows: TypedPayment[];
  problems: ReadonlyMap<number, Problems>;
  onChange: (rows: TypedPayment[]) => void;
};

function LargePayments({ rows, problems, onChange }: LargePaymentsProps) {
  const type = (id: number, typed: Partial<TypedPayment>) =>
    onChange(rows.map((row) => (row.id === id ? { ...row, ...typed } : row)));
  const next_id = Math.max(-1, ...rows.map(({ id }) => id)) + 1;
  return (
    <Stack gap="xs" role="group" aria-label="Large withdrawals">
      <Text size="sm" fw={500}>
        Large withdrawals
      </Text>
      <Text size="sm" c="dimmed">
        A withdrawal of more than this amount makes an alert.
      </Text>
      {rows.map(({ id, asset, amount }, index) => (
        <Group key={id} align="flex-start" gap="xs" wrap="nowrap">
          <TextInput
            aria-label={`Asset ${index + 1}`}
            placeholder="XLM or CODE:ISSUER"
            value={asset}
            onChange={(event) => type(id, { asset: event.currentTarget.value })}
            autoComplete="off"
            spellCheck={false}
            style={{ flex: 2 }}
            error={problems.get(id)?.asset}
          />
          <TextInput
            aria-label={`Amount ${index + 1}`}
            placeholder="1000"
            value={amount}
            onChange={(event) => type(id, { amount: event.currentTarget.value })}
            inputMode="decimal"
            autoComplete="off"
            style={{ flex: 1 }}
            error={problems.get(id)?.amount}
          />
          <ActionIcon
            variant="default"
            size={36}
            aria-label={`Remove amount ${index + 1}`}
            onClick={() => onChange(rows.filter((row) => row.id !== id))}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      ))}
      <Group>
        <Button
          variant="default"
          size="xs"
          onClick={() =>
            onChange([...rows, { id: next_id, asset: rows.length === 0 ? 'XLM' : '', amount: '' }])
          }
        >
          Add an amount
        </Button>
      </Group>
    </Stack>
  );
}
