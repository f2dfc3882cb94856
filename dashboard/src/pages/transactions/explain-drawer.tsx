import { Alert, Badge, Button, Drawer, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { addressQuery } from '../../api/addresses.ts';
import { api } from '../../api/client.ts';
import type { Explanation } from '../../api/contract.ts';
import { Amount } from '../../components/amount.tsx';
import { Copyable } from '../../components/copy.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { isolated } from '../../text/isolate.ts';
import { memoWords } from '../../text/memo.ts';

type Props = {
  walletId: string;
  /** Undefined: closed. Empty: no hash is entered yet. */
  hash: string | undefined;
  onExplain: (hash: string | undefined) => void;
};

const HASH = /^[0-9a-f]{64}$/i;

/** Answers “I paid, where is my deposit?” by the transaction hash. */
export function ExplainDrawer({ walletId, hash, onExplain }: Props) {
  return (
    <Drawer
      opened={hash !== undefined}
      onClose={() => onExplain(undefined)}
      title="Explain a transaction"
      position="right"
      size="lg"
    >
      {hash !== undefined && (
        <Stack>
          <Text size="sm" c="dimmed">
            A customer says they paid, but you see no deposit? Ask for the transaction hash, which their
            wallet app shows. You see here whether the transaction is in a ledger, and what each operation did
            for this wallet.
          </Text>
          <HashForm key={hash} hash={hash} onExplain={onExplain} />
          {HASH.test(hash) && <Explained walletId={walletId} hash={hash} />}
        </Stack>
      )}
    </Drawer>
  );
}

function HashForm({ hash, onExplain }: { hash: string; onExplain: (hash: string) => void }) {
  const [typed, setTyped] = useState(hash);
  const [problem, setProblem] = useState<string | null>(null);

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const given = typed.trim();
    if (HASH.test(given)) onExplain(given.toLowerCase());
    else setProblem(`A transaction hash has 64 hexadecimal digits; this has ${given.length} characters.`);
  }

  return (
    <form onSubmit={submit}>
      <Group align="flex-start" gap="sm">
        <TextInput
          label="Transaction hash"
          flex="1 1 240px"
          required
          data-autofocus
          autoComplete="off"
          spellCheck={false}
          classNames={{ input: 'mono' }}
          value={typed}
          error={problem}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setProblem(null);
          }}
        />
        <Button type="submit" mt={25}>
          Explain
        </Button>
      </Group>
    </form>
  );
}

function Explained({ walletId, hash }: { walletId: string; hash: string }) {
  const query = useQuery({
    queryKey: ['wallet', walletId, 'explain', hash],
    queryFn: ({ signal }) => api('explainTransaction', { id: walletId, tx_hash: hash, signal }),
    // It may still enter a ledger, or be read.
    refetchInterval: ({ state: { data } }) => (data?.read && !data.quarantined ? false : 4_000),
  });
  return (
    <Loaded query={query}>
      {(explanation) => <ExplanationView walletId={walletId} explanation={explanation} />}
    </Loaded>
  );
}

const STATES = {
  applied: { label: 'In a ledger', color: 'teal' },
  failed: { label: 'Failed', color: 'red' },
  not_found: { label: 'Not found', color: 'yellow' },
} as const;

function ExplanationView({ walletId, explanation }: { walletId: string; explanation: Explanation }) {
  const { label, color } = STATES[explanation.state];
  return (
    <Stack aria-live="polite">
      <Alert
        color={color}
        variant="light"
        title={
          <Group gap="xs">
            {label}
            {explanation.fee_bump && <Badge color="gray">fee-bumped</Badge>}
          </Group>
        }
      >
        <Text size="sm">{explanation.message}</Text>
        {explanation.memo_type !== 'none' && (
          <Text size="sm" mt={6}>
            Memo: {memoWords(explanation)}
          </Text>
        )}
      </Alert>
      {explanation.operations.length > 0 && (
        <Title order={3} size="h5">
          Operations
        </Title>
      )}
      <Stack component="ol" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
        {explanation.operations.map((operation) => (
          <OperationExplanation key={operation.operation_index} walletId={walletId} operation={operation} />
        ))}
      </Stack>
    </Stack>
  );
}

function OperationExplanation({
  walletId,
  operation,
}: {
  walletId: string;
  operation: Explanation['operations'][number];
}) {
  const { operation_index, type, credited, message, deposits } = operation;
  return (
    <Paper component="li" withBorder p="sm">
      <Group justify="space-between" gap="xs" mb={6}>
        <Text size="sm" fw={600}>
          {operation_index + 1}. <span className="mono">{type}</span>
        </Text>
        <Badge color={credited ? 'teal' : 'gray'}>
          {credited ? 'Credited to this wallet' : 'Not credited'}
        </Badge>
      </Group>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {message}
      </Text>
      {deposits.map((deposit) => (
        <Group key={deposit.id} mt="xs" gap="xs" justify="space-between">
          <TextLink to="/wallets/$walletId/deposits/$depositId" params={{ walletId, depositId: deposit.id }}>
            Open the deposit
          </TextLink>
          <Text size="sm" component="span">
            <Amount stroops={deposit.amount_stroops} asset={deposit} fw={550} /> from{' '}
            <Copyable value={deposit.source_account} what="sender" />
            {deposit.address_id !== null && (
              <AddressLabel walletId={walletId} addressId={deposit.address_id} />
            )}
          </Text>
        </Group>
      ))}
    </Paper>
  );
}

/** The label of the deposit address that was paid, if it has one. */
function AddressLabel({ walletId, addressId }: { walletId: string; addressId: string }) {
  const label = useQuery(addressQuery(walletId, addressId)).data?.label ?? null;
  if (label === null) return null;
  return (
    <>
      {' '}
      for <b style={{ overflowWrap: 'anywhere' }}>{isolated(label)}</b>
    </>
  );
}
