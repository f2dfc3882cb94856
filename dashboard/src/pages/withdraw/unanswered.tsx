import { Alert, Button, Group, Loader, Paper, Stack, Text } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Withdrawal } from '../../api/contract.ts';
import { type Order, readTyped, type Typed } from './order.ts';
import { Payment } from './payment.tsx';

/** Before the service shows the withdrawal: for a moment only. */
export function Sending({ typed }: { typed: Typed }) {
  return (
    <Waiting typed={typed} title="Sending it to the service">
      It is being checked; nothing is signed yet. You may leave this page: it goes on.
    </Waiting>
  );
}

type Props = {
  typed: Typed;
  /** Of the withdrawal that has the key: null where there is none so far. */
  lookup: UseQueryResult<Withdrawal | null>;
  onSendAgain: (order: Order) => void;
  onChange: () => void;
};

/** The answer was lost: whether the order arrived is looked up until it is known. */
export function Unanswered({ typed, lookup, onSendAgain, onChange }: Props) {
  const { order } = readTyped(typed);
  if (lookup.data === undefined && !lookup.isError)
    return (
      <Waiting typed={typed} title="Looking for your withdrawal">
        It was sent before the page was loaded again.
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
          title="The answer of the service was lost"
          role="status"
        >
          <Text size="sm">
            {lookup.isError
              ? `Whether it arrived cannot be seen: ${lookup.error.message} This page keeps asking.`
              : 'The service has no such withdrawal so far. Should it still arrive, it is shown here within a second.'}
          </Text>
          <Text size="sm" mt="xs">
            Sending it again is safe: it carries the same Idempotency-Key, so that it is paid once, however
            often it arrives. Do not enter it anew elsewhere.
          </Text>
        </Alert>
        <Group justify="flex-end">
          <Button variant="default" onClick={onChange}>
            Change it
          </Button>
          <Button disabled={!order} onClick={() => order && onSendAgain(order)}>
            Send it again
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

function Waiting({ typed, title, children }: { typed: Typed; title: string; children: string }) {
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
