import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle, IconPlayerPause } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { WebhookEndpoint } from '../../api/contract.ts';
import { DateTime } from '../../components/date-time.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';

export function EndpointBadge({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { enabled, disabled_reason, failing_since } = endpoint;
  if (!enabled)
    return <StatusBadge status={disabled_reason === null ? 'paused' : 'disabled'} label="disabled" />;
  if (failing_since !== null) return <StatusBadge status="failed" label="failing" />;
  return <StatusBadge status="active" />;
}

/** Why the endpoint receives nothing. Shows nothing for a working endpoint. */
export function EndpointAlert({ endpoint, enable }: { endpoint: WebhookEndpoint; enable: ReactNode }) {
  const { enabled, disabled_reason, failing_since } = endpoint;
  if (enabled && failing_since === null) return null;
  if (enabled && failing_since !== null)
    return (
      <Alert color="orange" icon={<IconAlertTriangle />} title="Failing">
        <Text size="sm">
          Every attempt since <DateTime at={failing_since} /> has failed. Each delivery is retried on its own
          schedule. After five days without a success the service disables the endpoint.
        </Text>
      </Alert>
    );
  const byService = disabled_reason !== null;
  return (
    <Alert
      color={byService ? 'red' : 'gray'}
      icon={byService ? <IconAlertTriangle /> : <IconPlayerPause />}
      title={byService ? 'Disabled by the service' : 'Disabled by you'}
    >
      <Text size="sm" mb="sm">
        {disabled_reason ?? 'Nothing is sent to it.'} Its events are kept and sent when it is enabled again.
        {failing_since !== null && (
          <>
            {' '}
            It had been failing since <DateTime at={failing_since} />.
          </>
        )}
      </Text>
      {enable}
    </Alert>
  );
}
