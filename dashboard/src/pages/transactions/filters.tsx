import { Box, Button, Group, NativeSelect, type NativeSelectProps, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconSearch, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { isFiltered, type TransactionsSearch } from './search.ts';

type Change = (change: { [Name in keyof TransactionsSearch]: TransactionsSearch[Name] | undefined }) => void;

/** The filters of the list. */
export function Filters({ search, onChange }: { search: TransactionsSearch; onChange: Change }) {
  const [opened, { toggle }] = useDisclosure(); // used on a phone only
  const pick = (name: 'type' | 'status' | 'attributed' | 'since' | 'until') => ({
    value: search[name] ?? '',
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      onChange({ [name]: currentTarget.value || undefined }),
  });
  return (
    <Group gap="sm" align="flex-end" role="search" aria-label="Transactions">
      <SearchField
        search={search.search ?? ''}
        onSearch={(text) => onChange({ search: text || undefined })}
      />
      <Button
        hiddenFrom="sm"
        variant="default"
        leftSection={<IconAdjustmentsHorizontal size={16} />}
        aria-expanded={opened}
        onClick={toggle}
      >
        Filters
      </Button>
      <Box display={{ base: opened ? 'contents' : 'none', sm: 'contents' }}>
        <Select
          label="Type"
          options={{ deposit: 'Deposits', withdrawal: 'Withdrawals', adjustment: 'Adjustments' }}
          {...pick('type')}
        />
        <Select
          label="Status"
          options={{
            confirmed: 'Confirmed',
            pending: 'Pending',
            awaiting_approval: 'Awaits approvals',
            failed: 'Failed',
          }}
          {...pick('status')}
        />
        <Select
          label="Attribution"
          options={{ true: 'Attributed', false: 'Unattributed' }}
          {...pick('attributed')}
        />
        <TextInput type="date" label="From" flex="1 1 136px" max={search.until} {...pick('since')} />
        <TextInput type="date" label="To" flex="1 1 136px" min={search.since} {...pick('until')} />
      </Box>
      {isFiltered(search) && (
        <Button
          variant="subtle"
          leftSection={<IconX size={16} />}
          onClick={() =>
            onChange({
              type: undefined,
              status: undefined,
              attributed: undefined,
              since: undefined,
              until: undefined,
              search: undefined,
            })
          }
        >
          Clear
        </Button>
      )}
    </Group>
  );
}

type SelectProps = NativeSelectProps & { options: Record<string, string> };

/** One of `options` (value → label), or all. */
function Select({ options, ...field }: SelectProps) {
  const data = Object.entries({ '': 'All', ...options }).map(([value, label]) => ({ value, label }));
  return <NativeSelect flex="1 1 132px" data={data} {...field} />;
}

/** Searches when the typing pauses. */
function SearchField({ search, onSearch }: { search: string; onSearch: (text: string) => void }) {
  const [typed, setTyped] = useState(search);
  const searchSoon = useDebouncedCallback((text: string) => onSearch(text.trim()), 300);
  // The search also changes by “Clear” and by the back button.
  useEffect(() => setTyped((before) => (before.trim() === search ? before : search)), [search]);
  return (
    <TextInput
      label="Search"
      placeholder="Hash, address, memo, amount, key, reference"
      type="search"
      maxLength={100}
      leftSection={<IconSearch size={16} />}
      flex="8 1 200px"
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        searchSoon(currentTarget.value);
      }}
    />
  );
}
