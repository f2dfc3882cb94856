import { Badge, Table, Text, Title } from '@mantine/core';
import type { PayoutReport } from '../../api/contract.ts';
import { Amount } from '../../components/amount.tsx';
import { shortened } from '../../components/copy.tsx';
import { isolated } from '../../text/isolate.ts';

const ROWS = 10;

/** The first rows as they were read, by their names. */
export function ReportSample({ report }: { report: PayoutReport }) {
  const rows = report.sample.slice(0, ROWS);
  if (rows.length === 0) return null;
  return (
    <section aria-label="First rows">
      <Title order={2} size="h4" mb="xs">
        First rows
      </Title>
      <Table aria-label="First rows" layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name and payee</Table.Th>
            <Table.Th visibleFrom="sm">Key</Table.Th>
            <Table.Th visibleFrom="md">Memo id</Table.Th>
            <Table.Th ta="right">Amount</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.row}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {row.reference !== null && <div>{isolated(row.reference)}</div>}
                <Text
                  span
                  size={row.reference === null ? 'sm' : 'xs'}
                  title={row.destination}
                  className="mono"
                >
                  {shortened(row.destination)}
                </Text>{' '}
                {row.new_payee && (
                  <Badge size="sm" variant="light" component="span">
                    new payee
                  </Badge>
                )}
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
