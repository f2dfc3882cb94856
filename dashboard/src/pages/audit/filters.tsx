import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { MEMBERS } from '../../api/team.ts';
import { walletsQuery } from '../../api/wallets.ts';
import { ACTIONS, actionInWords } from '../../text/audit-actions.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import { type AuditSearch, readAuditSearch } from './search.ts';

type Props = { search: AuditSearch; onChange: (search: AuditSearch) => void };

/** The filters of the list. */
export function Filters({ search, onChange }: Props) {
  const { data: wallets } = useQuery(walletsQuery);
  const { data: members } = useQuery({
    queryKey: [...MEMBERS, 'names'],
    queryFn: ({ signal }) => api('listMembers', { query: { limit: 200 }, signal }),
  });
  const pick = (name: keyof AuditSearch) => ({
    value: search[name] ?? '',
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      onChange(readAuditSearch(withoutUndefined({ ...search, [name]: value || undefined }))),
  });
  const actions = ACTIONS.map((value) => ({ value, label: actionInWords(value) }));
  return (
    <Group gap="sm" align="flex-end" role="search" aria-label="Audit log">
      <NativeSelect label="What" flex="2 1 180px" data={[ALL, ...actions]} {...pick('action')} />
      <NativeSelect
        label="Who"
        flex="2 1 180px"
        data={withChosen(
          search.actor_id,
          (members?.items ?? []).map(({ user_id, email }) => ({ value: user_id, label: email })),
        )}
        {...pick('actor_id')}
      />
      <NativeSelect
        label="Wallet"
        flex="2 1 160px"
        data={withChosen(
          search.wallet_id,
          (wallets?.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
        )}
        {...pick('wallet_id')}
      />
      <TextInput type="date" label="From" flex="1 1 136px" max={search.until} {...pick('since')} />
      <TextInput type="date" label="To" flex="1 1 136px" min={search.since} {...pick('until')} />
      {Object.keys(search).length > 0 && (
        <Button variant="subtle" leftSection={<IconX size={16} />} onClick={() => onChange({})}>
          Clear
        </Button>
      )}
    </Group>
  );
}

const ALL = { value: '', label: 'All' };

/** A former member, for example, is in no list: the link that names them filters all the same. */
function withChosen(chosen: string | undefined, known: { value: string; label: string }[]) {
  const isKnown = chosen === undefined || known.some(({ value }) => value === chosen);
  return [ALL, ...known, ...(isKnown ? [] : [{ value: chosen, label: chosen }])];
}
