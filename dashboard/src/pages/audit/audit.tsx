import { Button } from '@mantine/core';
import { IconDownload, IconListSearch } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { api, queryText } from '../../api/client.ts';
import type { AuditEntry } from '../../api/contract.ts';
import { useMay } from '../../api/me.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { InfiniteTable } from '../../components/infinite-table.tsx';
import { Page } from '../../components/page.tsx';
import { Permitted } from '../../components/permitted.tsx';
import { columnsOf } from './columns.tsx';
import { EntryDialog } from './entry-dialog.tsx';
import { Filters } from './filters.tsx';
import { type AuditSearch, auditQuery } from './search.ts';

/** Who changed what, newest first. */
export function AuditPage() {
  const may = useMay();
  const search = useSearch({ from: '/signed-in/audit' });
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<AuditEntry | null>(null);
  const columns = useMemo(() => columnsOf(setChosen), []);
  const query = auditQuery(search);
  const change = (to: AuditSearch) => void navigate({ to: '/audit', search: to, replace: true });
  return (
    <Page
      title="Audit log"
      description="Who changed what, when and from where."
      actions={
        may('listAuditEntries') && (
          <Button
            component="a"
            href={`/v1/audit${queryText({ ...query, format: 'csv' })}`}
            download="audit.csv"
            variant="default"
            leftSection={<IconDownload size={16} />}
          >
            Export CSV
          </Button>
        )
      }
    >
      <Permitted operation="listAuditEntries" what="read the audit log">
        <Filters search={search} onChange={change} />
        <InfiniteTable
          label="Audit log"
          queryKey={['audit', JSON.stringify(query)]}
          fetchPage={(page, given) =>
            api('listAuditEntries', {
              query: { ...query, limit: 100, ...page },
              ...given,
            })
          }
          columns={columns}
          empty={
            <EmptyState icon={IconListSearch} title="No entries">
              Nothing was recorded that these filters show.
            </EmptyState>
          }
        />
        {chosen && <EntryDialog entry={chosen} onClose={() => setChosen(null)} />}
      </Permitted>
    </Page>
  );
}
