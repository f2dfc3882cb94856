import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

/** A table of names and values. A value that is null has no row. */
export function Details({ rows }: { rows: [name: string, value: ReactNode][] }) {
  return (
    <Table variant="vertical" layout="auto">
      <Table.Tbody>
        {rows
          .filter(([, value]) => value !== null && value !== undefined)
          .map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th w={{ base: 104, xs: 120, sm: 200 }} fw={500} scope="row">
                {name}
              </Table.Th>
              <Table.Td className="whole">{value}</Table.Td>
            </Table.Tr>
          ))}
      </Table.Tbody>
    </Table>
  );
}
