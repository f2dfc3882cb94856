import { IconDownload, IconListSearch } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api, queryText } from '../../api/client.ts';
import { csvFile } from '../../api/csv-file.ts';
import { useMay } from '../../api/me.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { InfiniteTable } from '../../components/infinite-table.tsx';
import { Page } from '../../components/page.tsx';
import { Permitted } from '../../components/permitted.tsx';
import { SaveButton } from '../../components/save-button.tsx';
import { columnsOf } from './columns.tsx';
import { EntryDrawer } from './entry-drawer.tsx';
import { Filters } from './filters.tsx';
import { auditQuery } from './query.ts';
import type { AuditSearch } from './search.ts';
import { useNames } from './use-names.ts';

/** Who changed what, newest first. */
export function AuditPage() {
  const may = useMay();
  const search = useSearch({ from: '/signed-in/audit' });
  return (
    <Page
      title="Audit log"
      description="Who changed what, when and from where."
      actions={
        may('listAuditEntries') && (
          <SaveButton
            variant="default"
            leftSection={<IconDownload size={16} />}
            name="audit.csv"
            read={() =>
              csvFile(`/v1/audit${queryText({ ...auditQuery(search), format: 'csv' })}`, 'The audit log')
            }
          >
            Export CSV
          </SaveButton>
        )
      }
    >
      <Permitted operation="listAuditEntries" what="read the audit log">
        <Entries search={search} />
      </Permitted>
    </Page>
  );
}

/** Here, and not on the page: a member who may not read the log has no use for the names. */
function Entries({ search }: { search: AuditSearch }) {
  const navigate = useNavigate();
  const names = useNames();
  const columns = useMemo(() => columnsOf(names), [names]);
  const query = auditQuery(search);
  const { entry, ...filters } = search;
  const change = (to: AuditSearch) =>
    void navigate({ to: '/audit', search: to, replace: true, resetScroll: false });
  return (
    <>
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
      <EntryDrawer seq={entry} names={names} onClose={() => change(filters)} />
    </>
  );
}
