import { Alert, Button, Text } from '@mantine/core';
import { IconAlertCircle, IconUserCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ApiError, AwaitsApproval } from '../api/client.ts';
import { readableMessage } from '../text/api-message.ts';
import { TextLink } from './text-link.tsx';

/** The API's message, and its request id to find it in the log. */
export function ErrorAlert({
  error,
  words = readableMessage(error.message),
  retry,
  children,
}: {
  error: Error;
  /** Its message, where its amounts are not in XLM. */
  words?: string;
  retry?: () => void;
  /** What the error means here. */
  children?: ReactNode;
}) {
  const request_id = error instanceof ApiError ? error.request_id : null;
  const needsFactor =
    error instanceof ApiError && ['second_factor_required', 'factor_required'].includes(error.code);
  if (error instanceof AwaitsApproval) return <AwaitsApprovalAlert error={error} />;
  return (
    <Alert color="red" variant="light" icon={<IconAlertCircle />} role="alert">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {words}
      </Text>
      {children && (
        <Text size="sm" component="div">
          {children}
        </Text>
      )}
      {needsFactor && (
        <Text size="sm">
          <TextLink to="/security">Your second factors</TextLink>
        </Text>
      )}
      {request_id && (
        <Text size="xs" c="dimmed" className="mono" mt={4}>
          {request_id}
        </Text>
      )}
      {retry && (
        <Button size="xs" variant="light" color="red" mt="sm" onClick={retry}>
          Try again
        </Button>
      )}
    </Alert>
  );
}

/** No mistake: what was asked for waits for other members. */
function AwaitsApprovalAlert({ error }: { error: AwaitsApproval }) {
  return (
    <Alert variant="default" icon={<IconUserCheck />} role="status">
      <Text size="sm">{error.message}</Text>
      <Text size="sm">
        <TextLink to="/approvals">The approvals of the team</TextLink>
      </Text>
    </Alert>
  );
}
