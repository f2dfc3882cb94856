import { Alert, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { SubmitEvent } from 'react';
import { api } from '../../api/client.ts';
import type { WebhookEndpoint, WebhookExam, WebhookExamCase } from '../../api/contract.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { FormButtons } from '../../components/form-buttons.tsx';
import { LinedItem, LinedList } from '../../components/lined-list.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { capitalized } from '../../text/capitalized.ts';
import { responseWords } from '../../text/delivery-words.ts';

type Props = { endpoint: WebhookEndpoint; onClose: () => void };

/** Sends right and wrong requests to the endpoint, and shows what its answers say. */
export function ExamDialog({ endpoint: { id, wallet_id }, onClose }: Props) {
  const exam = useMutation({
    mutationFn: () => api('examineWebhook', { id: wallet_id, webhook_id: id, body: {} }),
  });

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    exam.mutate();
  }

  return (
    <Dialog onClose={onClose} title="Examine the receiver" size="lg">
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">
            Sends requests with right, wrong and missing signatures, and shows what your receiver answers. All
            are test events: their names end in <code>.test</code>, and their accounts cannot exist. They are
            not in the list of deliveries.
          </Text>
          {exam.error && <ErrorAlert error={exam.error} />}
          {exam.data && <Report report={exam.data} />}
          <FormButtons
            action={exam.data ? 'Examine again' : 'Examine'}
            pending={exam.isPending}
            close={exam.data ? 'Close' : 'Cancel'}
            onClose={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  );
}

function Report({ report: { passed, cases, unseen } }: { report: WebhookExam }) {
  const count = cases.filter(({ outcome }) => outcome === 'passed').length;
  return (
    <>
      <Alert role="status" {...verdictOf(passed, count, cases.length, unseen.length > 0)} />
      <LinedList>
        {toMendFirst(cases).map((one) => (
          <LinedItem key={one.name}>
            <Case examined={one} />
          </LinedItem>
        ))}
      </LinedList>
      {unseen.length > 0 && <Unseen lines={unseen} />}
    </>
  );
}

function verdictOf(passed: boolean, count: number, all: number, has_unseen: boolean) {
  if (!passed) return { color: 'red', title: `Not passed: ${count} of ${all} cases passed` };
  if (has_unseen)
    return { color: 'yellow', title: `All ${count} cases passed, as far as the exam could see` };
  return { color: 'teal', title: `Passed: all ${count} cases` };
}

/** Names the typical faults that the exam could not see. */
function Unseen({ lines }: { lines: string[] }) {
  return (
    <>
      <Text size="sm" fw={550}>
        What the exam could not see
      </Text>
      <LinedList>
        {lines.map((line) => (
          <LinedItem key={line}>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {line}
            </Text>
          </LinedItem>
        ))}
      </LinedList>
      <Text size="sm">
        A receiver that answers <code>GET …?handled=evt_…</code> shows this too. The guide to webhooks says
        how.
      </Text>
    </>
  );
}

const ORDER = ['failed', 'unknown', 'passed'];

function toMendFirst(cases: WebhookExamCase[]): WebhookExamCase[] {
  return cases.toSorted((a, b) => ORDER.indexOf(a.outcome) - ORDER.indexOf(b.outcome));
}

function Case({
  examined: { name, outcome, sent, expected, answers, advice },
}: {
  examined: WebhookExamCase;
}) {
  const came = `Response: ${answers.map(responseWords).join(', ')}`;
  const wanted = expected === 'accepted' ? '2xx' : '4xx';
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <Text size="sm" fw={550}>
          {capitalized(name.replaceAll('_', ' '))}
        </Text>
        <StatusBadge status={outcome} />
      </Group>
      {answers.length > 0 && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {sent} {outcome === 'passed' ? `${came}.` : `${came}; expected: ${wanted}.`}
        </Text>
      )}
      {advice !== null && <Text size="sm">{advice}</Text>}
    </Stack>
  );
}
