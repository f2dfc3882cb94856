import { Alert, Button, Group, Loader, Paper, Stack, Text } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Withdrawal } from '../../api/contract.ts';
import { Payment } from './payment-summary.tsx';
import { parseInput, type WithdrawalInput, type WithdrawalRequest } from './withdrawal-input.ts';

/** Shown for a moment, until the service has the withdrawal. */
export function Sending({ typed }: { typed: WithdrawalInput }) {
  return (
    <Waiting typed={typed} title="Sending">
      The service checks the withdrawal. You can leave this page; the withdrawal continues.
    </Waiting>
  );
}

type Props = {
  typed: WithdrawalInput;
  /** Of the withdrawal with the key; null if there is none yet. */
  lookup: UseQueryResult<Withdrawal | null>;
  onSendAgain: (request: WithdrawalRequest) => void;
  onChange: () => void;
};

/** The response was lost. The withdrawal is looked up until its state is known. */
export function LostResponse({ typed, lookup, onSendAgain, onChange }: Props) {
  const { request } = parseInput(typed);
  if (lookup.data === undefined && !lookup.isError)
    return (
      <Waiting typed={typed} title="Looking for your withdrawal">
        It was sent before the page was reloaded.
      </Waiting>
    );
  return (
    <Paper withBorder p="lg" maw={720}>
      <Stack>
        <Payment typed={typed} />
        <Alert
          color="yellow"
          variant="light"
          icon={<IconPlugConnectedX />}
          title="The response of the service was lost"
          role="status"
        >
          <Text size="sm">
            {lookup.isError
              ? `The withdrawal could not be looked up: ${lookup.error.message} This page keeps trying.`
              : 'The service has no such withdrawal yet. If it still arrives, it appears here within a second.'}
          </Text>
          <Text size="sm" mt="xs">
            Sending it again is safe: it uses the same Idempotency-Key, so it is paid at most once. Do not
            enter it again elsewhere.
          </Text>
        </Alert>
        <Group justify="flex-end">
          <Button variant="default" onClick={onChange}>
            Edit
          </Button>
          <Button disabled={!request} onClick={() => request && onSendAgain(request)}>
            Send again
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

function Waiting({ typed, title, children }: { typed: WithdrawalInput; title: string; children: string }) {
  return (
    <Paper withBorder p="lg" maw={720}>
      <Stack>
        <Payment typed={typed} />
        <Group wrap="nowrap" align="flex-start" role="status">
          <Loader size="sm" mt={2} aria-hidden="true" />
          <div>
            <Text fw={600}>{title}</Text>
            <Text size="sm">{children}</Text>
          </div>
        </Group>
      </Stack>
    </Paper>
  );
}
