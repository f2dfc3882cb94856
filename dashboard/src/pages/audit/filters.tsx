import { Button, Group, NativeSelect, Select, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useWallets } from '../../api/wallets.ts';
import { actionInWords } from '../../text/audit-actions.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import { type AuditSearch, readAuditSearch } from './search.ts';
import { ACTION_GROUPS, isKnownAction } from './sentences.ts';
import { usePeople, useServiceUsers } from './use-names.ts';

type Props = { search: AuditSearch; onChange: (search: AuditSearch) => void };

/** The filters of the list. */
export function Filters({ search: { entry: _, ...search }, onChange }: Props) {
  const wallets = useWallets();
  const change = (name: keyof AuditSearch, value: string | null) =>
    onChange(readAuditSearch(withoutUndefined({ ...search, [name]: value || undefined })));
  const pick = (name: keyof typeof search) => ({
    value: search[name] ?? '',
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => change(name, value),
  });
  return (
    <Group gap="sm" align="flex-end" role="search" aria-label="Audit log">
      <Select
        label="What"
        placeholder="All"
        flex="2 1 200px"
        data={ACTIONS}
        searchable
        comboboxProps={{ withinPortal: false }} // in the landmark of the filters
        // The list itself scrolls: a field leads its reader through it, so it needs no place in the order of focus.
        withScrollArea={false}
        styles={{ options: { maxHeight: 320, overflowY: 'auto' } }}
        clearable
        clearButtonProps={{ 'aria-label': 'All actions' }}
        nothingFoundMessage="No such action"
        value={search.action !== undefined && isKnownAction(search.action) ? search.action : null}
        onChange={(value) => change('action', value)}
      />
      <NativeSelect
        label="Who"
        flex="2 1 180px"
        data={withChosen(search.actor_id, useActors())}
        {...pick('actor_id')}
      />
      <NativeSelect
        label="Wallet"
        flex="2 1 160px"
        data={withChosen(
          search.wallet_id,
          wallets.map(({ id, name }) => ({ value: id, label: name })),
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

const ACTIONS = ACTION_GROUPS.map(({ group, actions }) => ({
  group,
  items: actions.map((value) => ({ value, label: actionInWords(value) })),
}));

/** Who may have acted: people by their e-mail addresses, and programs. */
function useActors() {
  const people = usePeople().map(({ user_id, email }) => ({ value: user_id, label: email }));
  const programs = useServiceUsers() ?? [];
  return [...people, ...programs.map(({ id, name }) => ({ value: id, label: `Service user ${name}` }))];
}

const ALL = { value: '', label: 'All' };

/** A main API key, for example, is in no list: the link that names one filters all the same. */
function withChosen(chosen: string | undefined, known: { value: string; label: string }[]) {
  const isKnown = chosen === undefined || known.some(({ value }) => value === chosen);
  return [ALL, ...known, ...(isKnown ? [] : [{ value: chosen, label: chosen }])];
}
