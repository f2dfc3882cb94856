import { Box, Button, Group, NativeSelect, type NativeSelectProps, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconSearch, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { balancesQuery } from '../../api/wallets.ts';
import { assetName, assetText, NATIVE, parseAssetText } from '../../text/asset.ts';
import { formatDay } from '../../text/date-time.ts';
import { startOfDay } from '../../text/days.ts';
import { editableUnits, parseUnits, plainUnits } from '../../text/money.ts';
import { isFiltered, type TransactionsSearch } from './search.ts';

type Change = (change: { [Name in keyof TransactionsSearch]: TransactionsSearch[Name] | undefined }) => void;

type FiltersProps = { walletId: string; search: TransactionsSearch; onChange: Change };

/** The filters of the list. */
export function Filters({ walletId, search, onChange }: FiltersProps) {
  const [opened, { toggle }] = useDisclosure(); // used on a phone only
  const pick = (name: 'type' | 'status' | 'attributed' | 'asset' | 'since' | 'until') => ({
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
        <Select label="Asset" options={useAssetOptions(walletId, search.asset)} {...pick('asset')} />
        <AmountField
          label="Amount from"
          amount={search.min}
          max={search.max}
          onAmount={(min) => onChange({ min })}
        />
        <AmountField
          label="Amount to"
          amount={search.max}
          min={search.min}
          onAmount={(max) => onChange({ max })}
        />
        <TextInput
          type="date"
          label={labelOfDay('From', search.since)}
          flex="1 1 136px"
          max={search.until}
          {...pick('since')}
        />
        <TextInput
          type="date"
          label={labelOfDay('To', search.until)}
          flex="1 1 136px"
          min={search.since}
          {...pick('until')}
        />
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
              asset: undefined,
              min: undefined,
              max: undefined,
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

/** Names the day as the rows do: a date field has the format of the browser. */
function labelOfDay(label: string, day: string | undefined): string {
  return day === undefined ? label : `${label} ${formatDay(startOfDay(day))}`;
}

/** The assets of the wallet, and the chosen one, which it may have no more. */
function useAssetOptions(walletId: string, chosen: string | undefined): Record<string, string> {
  const { data } = useQuery(balancesQuery(walletId));
  const texts = [...(data?.items ?? [NATIVE]).map(assetText), ...(chosen ? [chosen] : [])];
  return Object.fromEntries(texts.map((text) => [text, assetName(parseAssetText(text))]));
}

type AmountFieldProps = {
  label: string;
  /** In units, as the address of the page has it. */
  amount: string | undefined;
  min?: string | undefined;
  max?: string | undefined;
  onAmount: (amount: string | undefined) => void;
};

/** Filters when the typing pauses, unless the text is not an amount or is beyond the other bound. */
function AmountField({ label, amount = '', min, max, onAmount }: AmountFieldProps) {
  const [typed, setTyped] = useState(() => editableOf(amount));
  useEffect(() => setTyped((before) => (unitsOf(before) === amount ? before : editableOf(amount))), [amount]);
  const filterSoon = useDebouncedCallback((text: string) => {
    if (problemOf(text, min, max) === null) onAmount(unitsOf(text) || undefined);
  }, 300);
  const problem = problemOf(typed, min, max);
  return (
    <TextInput
      label={label}
      inputMode="decimal"
      autoComplete="off"
      maxLength={30}
      flex="1 1 120px"
      error={problem && `The amount ${problem}.`}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        filterSoon(currentTarget.value);
      }}
    />
  );
}

/** The amount of the address as a reader of any language understands it. */
function editableOf(amount: string): string {
  const parsed = parseUnits(amount, 'en');
  return 'stroops' in parsed ? editableUnits(parsed.stroops) : '';
}

/** `1234.5` for a typed amount; '' for none. */
function unitsOf(typed: string): string {
  const parsed = parseUnits(typed, 'en');
  return 'stroops' in parsed ? plainUnits(parsed.stroops) : '';
}

function problemOf(typed: string, min = '', max = ''): string | null {
  if (typed.trim() === '') return null;
  const parsed = parseUnits(typed);
  if ('problem' in parsed) return parsed.problem;
  const [least, most] = [parseUnits(min, 'en'), parseUnits(max, 'en')];
  if ('stroops' in least && parsed.stroops < least.stroops) return `must be at least ${min}`;
  if ('stroops' in most && parsed.stroops > most.stroops) return `must be at most ${max}`;
  return null;
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
