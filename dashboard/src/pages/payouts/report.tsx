import { Alert, Stack, Table, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import type { PayoutProblem, PayoutReport } from '../../api/contract.ts';
import { Amount, Figures } from '../../components/amount.tsx';
import { shortened } from '../../components/copy.tsx';
import { Details } from '../../components/details.tsx';
import { approvalsCauseText } from '../../text/approvals.ts';
import { assetText } from '../../text/asset.ts';

/** So many problems are shown; the service names more. */
const SHOWN = 100;
const SAMPLE = 10;

/** What a check has found: mistakes by line, sums, and the first rows as they were read. */
export function Report({ report }: { report: PayoutReport }) {
  const { errors, error_count, warnings, warning_count, rows } = report;
  return (
    <Stack gap="md" role="status">
      {error_count > 0 ? (
        <Alert
          color="red"
          variant="light"
          icon={<IconAlertTriangle />}
          title={error_count === 1 ? 'One error' : `${error_count} errors`}
        >
          <Text size="sm">Nothing can be kept before the file is right.</Text>
        </Alert>
      ) : (
        <Alert color="teal" variant="light" icon={<IconCheck />} title="No errors">
          <Text size="sm">
            {rows} {rows === 1 ? 'row' : 'rows'} can be kept.
          </Text>
        </Alert>
      )}
      {errors.length > 0 && <Problems title="Errors" problems={errors} count={error_count} />}
      {warnings.length > 0 && <Problems title="Warnings" problems={warnings} count={warning_count} />}
      <Sums report={report} />
      <Sample report={report} />
    </Stack>
  );
}

type ProblemsProps = { title: string; problems: PayoutProblem[]; count: number };

function Problems({ title, problems, count }: ProblemsProps) {
  const shown = problems.slice(0, SHOWN);
  return (
    <section aria-label={title}>
      <Title order={2} size="h4" mb="xs">
        {title}
      </Title>
      <Table aria-label={title} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={80}>Line</Table.Th>
            <Table.Th>What is wrong</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map((problem, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and a line can have equal problems
            <Table.Tr key={index}>
              <Table.Td className="figures">{problem.line ?? problem.row ?? 'all'}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {problem.field !== null && <b>{problem.field} </b>}
                {problem.message}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {count > shown.length && (
        <Text size="sm" c="dimmed" mt="xs">
          And {count - shown.length} more.
        </Text>
      )}
    </section>
  );
}

function Sums({ report }: { report: PayoutReport }) {
  const { totals, error_count, fee_stroops, fee_paid_by } = report;
  const { approvals_required, approvals_cause } = report;
  const payer = fee_paid_by === 'treasury' ? 'paid by the treasury' : 'or more';
  return (
    <Details
      rows={[
        ...totals.map((total): [string, React.ReactNode] => [
          totals.length === 1 ? 'All rows' : `All rows, ${assetText(total).split(':')[0]}`,
          <span key={assetText(total)}>
            <Amount stroops={total.amount_stroops} asset={total} />
            {total.available_stroops !== null && (
              <Text size="sm" c="dimmed" component="div">
                <Figures stroops={total.available_stroops} asset={total} /> available now
              </Text>
            )}
          </span>,
        ]),
        // Both are of the rows that could be read, so beside an error they would be those of another file.
        ...(error_count > 0
          ? []
          : ([
              [
                'Fees',
                <span key="fees">
                  <Figures stroops={fee_stroops} />, {payer}
                </span>,
              ],
              [
                'Approvals needed',
                approvals_required === 0
                  ? '0'
                  : `${approvals_required}. ${approvalsCauseText(approvals_cause)}`,
              ],
            ] as [string, React.ReactNode][])),
      ]}
    />
  );
}

function Sample({ report }: { report: PayoutReport }) {
  const rows = report.sample.slice(0, SAMPLE);
  if (rows.length === 0) return null;
  return (
    <section aria-label="First rows">
      <Title order={2} size="h4" mb="xs">
        First rows
      </Title>
      <Table aria-label="First rows" layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Payee</Table.Th>
            <Table.Th visibleFrom="sm">Key</Table.Th>
            <Table.Th visibleFrom="md">Memo id</Table.Th>
            <Table.Th ta="right">Amount</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.row}>
              <Table.Td title={row.destination} className="mono">
                {shortened(row.destination)}
              </Table.Td>
              <Table.Td visibleFrom="sm" style={{ overflowWrap: 'anywhere' }}>
                {row.idempotency_key}
              </Table.Td>
              <Table.Td visibleFrom="md" className="figures">
                {row.memo_id === null ? '—' : String(row.memo_id)}
              </Table.Td>
              <Table.Td ta="right">
                <Amount stroops={row.amount_stroops} asset={row} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
