import { Alert, Button, Stack, Table, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import type { PayoutProblem, PayoutReport } from '../../api/contract.ts';
import { Amount, Figures } from '../../components/amount.tsx';
import { shortened } from '../../components/copy.tsx';
import { Details } from '../../components/details.tsx';
import { approvalsCauseText } from '../../text/approvals.ts';
import { assetText } from '../../text/asset.ts';
import { counted } from '../../text/counted.ts';
import { isolated } from '../../text/isolate.ts';
import { groupedByLine, type LineGroup } from './line-groups.ts';
import { ReportSample } from './report-sample.tsx';

/** So many different problems are shown; the service names more. */
const SHOWN = 100;
const SHOWN_READINGS = 5;

/** What a check has found: mistakes by line, how amounts were read, sums, and the first rows as they were read. */
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
          <Text size="sm">{counted(rows, 'row')} can be kept.</Text>
        </Alert>
      )}
      {errors.length > 0 && <Problems title="Errors" problems={errors} count={error_count} />}
      {warnings.length > 0 && <Problems title="Warnings" problems={warnings} count={warning_count} />}
      {report.has_made_keys && error_count === 0 && (
        <Alert color="gray" variant="light">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            The file has no keys. They were made of the name of the payout and the row:{' '}
            <b>{report.sample[0]?.idempotency_key}</b> is the first. Each row is paid once under this name.
            Payments that were made before are named.
          </Text>
        </Alert>
      )}
      {report.readings.length > 0 && <Readings report={report} />}
      {/* Sums, fees and approvals are of the rows that could be read: beside an error they would be those of another file. */}
      {error_count === 0 && <Sums report={report} />}
      <ReportSample report={report} />
    </Stack>
  );
}

type ProblemsProps = { title: string; problems: PayoutProblem[]; count: number };

function Problems({ title, problems, count }: ProblemsProps) {
  const groups = groupedByLine(problems, ({ field, code, message }) =>
    JSON.stringify([field, code, message]),
  );
  const shown = groups.slice(0, SHOWN);
  const left = count - shown.reduce((sum, group) => sum + group.count, 0);
  return (
    <section aria-label={title}>
      <Title order={2} size="h4" mb="xs">
        {title}
      </Title>
      <Lines label={title} what="What is wrong" groups={shown}>
        {({ field, code, message }) => (
          <>
            {field !== null && <b>{field} </b>}
            {code === 'decimal_mark_unknown' ? TWO_WAYS : message}
          </>
        )}
      </Lines>
      {left > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          And {left} more.
        </Text>
      )}
    </section>
  );
}

/** In the words of a page that asks for the mark (decimal-mark.tsx). */
const TWO_WAYS =
  'can be read in two ways: say above which mark is before the decimals, or write the amount like 1234 or 1.2340';

type LinesProps<T> = {
  label: string;
  what: string;
  groups: LineGroup<T>[];
  children: (one: T) => React.ReactNode;
};

function Lines<T>({ label, what, groups, children }: LinesProps<T>) {
  return (
    <Table aria-label={label} layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={{ base: 104, sm: 180 }}>Where</Table.Th>
          <Table.Th>{what}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {groups.map(({ first, lines }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and has no other key
          <Table.Tr key={index}>
            <Table.Td className="figures">{lines}</Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{children(first)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** How the service has read what is not written as it writes amounts: a comma read as a point moves money. */
function Readings({ report: { readings, reading_count } }: { report: PayoutReport }) {
  const [all, setAll] = useState(false);
  const groups = groupedByLine(readings, ({ text }) => text);
  const shown = all ? groups : groups.slice(0, SHOWN_READINGS);
  const unnamed = reading_count - readings.length;
  return (
    <section aria-label="How amounts were read">
      <Title order={2} size="h4" mb="xs">
        How amounts were read
      </Title>
      <Lines label="How amounts were read" what="Amount" groups={shown}>
        {({ text, read_as }) => (
          <>
            Read {isolated(text)} as <b>{read_as}</b>
          </>
        )}
      </Lines>
      {shown.length < groups.length && (
        <Button variant="subtle" size="compact-sm" mt="xs" onClick={() => setAll(true)}>
          Show {groups.length - shown.length} more
        </Button>
      )}
      {all && unnamed > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          And {unnamed} more, read in the same way.
        </Text>
      )}
    </section>
  );
}

type DetailRow = [name: string, value: React.ReactNode];

function Sums({ report }: { report: PayoutReport }) {
  const { totals, fee_stroops, fee_paid_by, new_payees } = report;
  const { approvals_required, approvals_cause } = report;
  const payer = fee_paid_by === 'treasury' ? 'paid by the treasury' : 'or more';
  const of = (name: string, total: PayoutReport['totals'][number]) =>
    totals.length === 1 ? name : `${name}, ${assetText(total).split(':')[0]}`;
  return (
    <Details
      rows={[
        ...totals.map(
          (total): DetailRow => [
            of('All rows', total),
            <span key={assetText(total)}>
              <Amount stroops={total.amount_stroops} asset={total} />
              {total.available_stroops !== null && (
                <Text size="sm" c="dimmed" component="div">
                  <Figures stroops={total.available_stroops} asset={total} /> available now
                </Text>
              )}
            </span>,
          ],
        ),
        ...totals.map(
          (total): DetailRow => [
            of('Largest row', total),
            <span key={assetText(total)}>
              <Figures stroops={total.largest_row.amount_stroops} asset={total} />
              <Text size="sm" c="dimmed" component="div">
                {total.largest_row.reference === null
                  ? shortened(total.largest_row.destination)
                  : isolated(total.largest_row.reference)}
                , line {total.largest_row.line ?? total.largest_row.row}
              </Text>
            </span>,
          ],
        ),
        ['New payees', newPayeesInWords(new_payees)],
        [
          'Fees',
          <span key="fees">
            <Figures stroops={fee_stroops} />, {payer}
          </span>,
        ],
        [
          'Approvals needed',
          approvals_required === 0 ? '0' : `${approvals_required}. ${approvalsCauseText(approvals_cause)}`,
        ],
      ]}
    />
  );
}

function newPayeesInWords(count: number): string {
  if (count === 0) return 'None: this wallet has paid all of them before';
  return `${count}: this wallet has never paid ${count === 1 ? 'it' : 'them'}`;
}
