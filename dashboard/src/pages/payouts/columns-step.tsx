import { Alert, Button, Group, NativeSelect, Stack, Table, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { PayoutColumn, PayoutReport } from '../../api/contract.ts';
import { isolated } from '../../text/isolate.ts';
import { COLUMN_WORDS, proposedColumn } from './column-names.ts';
import { type ChosenColumn, inOrderOf } from './known-columns.ts';

export function hasWrongColumns(report: PayoutReport | undefined): boolean {
  return (
    report !== undefined &&
    report.columns.length > 0 &&
    report.errors.some(({ code }) => code === 'wrong_columns')
  );
}

const LEFT_OUT = '';
const OPTIONS = [
  { value: LEFT_OUT, label: 'Leave out' },
  ...Object.entries(COLUMN_WORDS).map(([value, label]) => ({ value, label })),
];

type Props = {
  columns: PayoutColumn[];
  given: ChosenColumn[] | undefined;
  onChosen: (columns: ChosenColumn[]) => void;
};

/** Asks what the columns of a file are whose header the service does not know. `given`: what was answered before. */
export function ColumnsStep({ columns, given, onChosen }: Props) {
  const [chosen, setChosen] = useState(() => (given ? inOrderOf(columns, given) : proposed(columns)));
  const choose = (at: number, column: PayoutColumn['column']) =>
    setChosen(chosen.map((each, index) => (index === at ? { ...each, column } : each)));
  return (
    <Stack gap="sm" component="section" aria-labelledby="columns">
      <Title order={2} size="h4" id="columns">
        What are the columns of this file?
      </Title>
      <Text size="sm">
        Check each of them. Files with the same header are read in the same way from now on.
      </Text>
      <Table aria-labelledby="columns" layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>In the file</Table.Th>
            <Table.Th>Is</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {columns.map(({ name, example }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the columns stay, and two can have one name
            <Table.Tr key={at}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <b>{name === '' ? 'No name' : isolated(name)}</b>
                <Text size="xs" c="dimmed">
                  {example === null ? 'empty' : isolated(example)}
                </Text>
              </Table.Td>
              <Table.Td>
                <NativeSelect
                  aria-label={name === '' ? `Column ${at + 1}` : name}
                  data={OPTIONS}
                  value={chosen[at]?.column ?? LEFT_OUT}
                  onChange={({ currentTarget: { value } }) =>
                    choose(at, value === LEFT_OUT ? null : (value as PayoutColumn['column']))
                  }
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {!chosen.some(({ column }) => column === 'idempotency_key') && (
        <Alert color="gray" variant="light">
          <Text size="sm">
            No column is the key. Keys are then made of the name of the payout and the number of the row: each
            row is paid once under one name. Payments that were made before are named.
          </Text>
        </Alert>
      )}
      <Group>
        <Button variant="default" onClick={() => onChosen(chosen)}>
          Use these columns
        </Button>
      </Group>
    </Stack>
  );
}

/** What the service knows stays; the rest is proposed by its name, each column once. */
function proposed(columns: PayoutColumn[]): ChosenColumn[] {
  const taken = columns.map(({ column }) => column);
  return columns.map(({ name, column }) => {
    const found = column ?? proposedColumn(name, taken);
    taken.push(found);
    return { name, column: found };
  });
}
