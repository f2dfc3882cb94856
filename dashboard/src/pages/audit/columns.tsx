import { Text } from '@mantine/core';
import type { AuditEntry } from '../../api/contract.ts';
import { DateTime } from '../../components/date-time.tsx';
import type { Column } from '../../components/infinite-table.tsx';
import { RowLink } from '../../components/row-link.tsx';
import { Pieces } from './pieces.tsx';
import { sentenceOf } from './sentences.ts';
import { inPlainText, type Names } from './told.ts';

/** Each row is a sentence, and a link to the whole entry. */
export function columnsOf(names: Names): Column<AuditEntry>[] {
  return [
    { title: 'Entry', width: { base: 64, sm: 84 }, cell: (entry) => <EntryLink {...{ entry, names }} /> },
    {
      title: 'What',
      cell: (entry) => (
        <>
          <Text size="sm" lineClamp={4} style={{ overflowWrap: 'anywhere' }}>
            <Pieces pieces={sentenceOf(entry, names)} />
          </Text>
          <Text size="sm" c="dimmed" hiddenFrom="md" className="whole">
            <DateTime at={entry.at} seconds />
          </Text>
        </>
      ),
    },
    {
      title: 'When',
      width: 190,
      visibleFrom: 'md',
      cell: ({ at }) => (
        <Text size="sm">
          <DateTime at={at} seconds />
        </Text>
      ),
    },
  ];
}

function EntryLink({ entry, names }: { entry: AuditEntry; names: Names }) {
  const seq = String(entry.seq);
  return (
    <RowLink
      size="sm"
      to="/audit"
      search={(before) => ({ ...before, entry: seq })}
      resetScroll={false}
      aria-label={`Entry ${seq}: ${inPlainText(sentenceOf(entry, names))}`}
    >
      {seq}
    </RowLink>
  );
}
