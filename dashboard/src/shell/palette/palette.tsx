/** The command palette: pages, actions, and whatever the service finds in the wallets of the team. */
import { Box, Group, Kbd, Loader, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, Suspense, useEffect, useId, useRef, useState } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { KEEP_FOCUS_ON_PRESS } from '../../components/keep-focus.ts';
import { counted } from '../../text/counted.ts';
import { useShownWallet } from '../shown-wallet.ts';
import type { Entry, Target } from './entry.ts';
import './palette.css';
import { isPaletteKey } from './use-asked.ts';
import { useEntries } from './use-entries.ts';

type Props = { onShortcuts: () => void; onClose: () => void };

export function Palette({ onShortcuts, onClose }: Props) {
  const walletId = useShownWallet() ?? '';
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<Target | null>(null);
  if (chosen && 'dialog' in chosen)
    return (
      <Suspense>
        <chosen.dialog walletId={walletId} onClose={onClose} />
      </Suspense>
    );
  function choose(target: Target) {
    if ('dialog' in target) return setChosen(target);
    onClose();
    void navigate(target.link);
  }
  return <Search onChoose={choose} onShortcuts={onShortcuts} onClose={onClose} />;
}

type SearchProps = Props & { onChoose: (target: Target) => void };

function Search({ onChoose, onShortcuts, onClose }: SearchProps) {
  const id = useId();
  const [text, setText] = useState('');
  const { entries, isSearching, error } = useEntries(text.trim());
  const [at, setAt] = useState(0);
  const active = entries[Math.min(at, entries.length - 1)];
  const enter = useEnter(active, isSearching, onChoose);
  useClosingKey(onClose);

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const step = STEPS[event.key];
    if (step !== undefined) setAt((before) => (before + step + entries.length) % Math.max(entries.length, 1));
    else if (event.key === 'Enter') enter();
    else return;
    event.preventDefault();
  }

  return (
    <Dialog
      onClose={onClose}
      withCloseButton={false}
      centered={false}
      yOffset="10vh"
      size="lg"
      padding={0}
      attributes={{ content: { 'aria-label': 'Search' } }}
    >
      <Group wrap="nowrap" gap="sm" px="md" className="palette-field">
        {isSearching ? <Loader size={18} aria-hidden="true" /> : <IconSearch size={18} aria-hidden="true" />}
        <input
          role="combobox"
          aria-label="Search"
          aria-expanded={entries.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          {...(active && { 'aria-activedescendant': `${id}-${entries.indexOf(active)}` })}
          placeholder="Page, action, name, id, hash, memo …"
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          data-autofocus
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
      </Group>
      <EntryList id={id} entries={entries} active={active} onChoose={onChoose} />
      {error && (
        <Box p="sm">
          <ErrorAlert error={error}>The search did not end. Pages and actions can be opened.</ErrorAlert>
        </Box>
      )}
      <NothingFound text={text.trim()} shown={!isSearching && !error && entries.length === 0} />
      <VisuallyHidden role="status">
        {isSearching ? 'Searching' : counted(entries.length, 'result')}
      </VisuallyHidden>
      <Group gap="md" px="md" py={8} className="palette-keys" visibleFrom="xs">
        <Text size="xs" c="dimmed">
          <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> choose · <Kbd size="xs">Enter</Kbd> open ·{' '}
          <Kbd size="xs">Esc</Kbd> close
        </Text>
        <UnstyledButton onClick={onShortcuts} ml="auto">
          <Text size="xs" c="dimmed">
            Shortcuts
          </Text>
        </UnstyledButton>
      </Group>
    </Dialog>
  );
}

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

/** Returns what Enter does: it opens the active entry, or else the first that the search finds. */
function useEnter(active: Entry | undefined, isSearching: boolean, onChoose: (target: Target) => void) {
  const [waits, setWaits] = useState(false);
  useEffect(() => {
    if (!waits || isSearching) return;
    setWaits(false);
    if (active) onChoose(active.target);
  }, [waits, isSearching, active, onChoose]);
  return () => (active ? onChoose(active.target) : setWaits(true));
}

/** Lets the key that opened the search close it, whatever has the focus: the field gets the focus only after it is drawn. */
function useClosingKey(onClose: () => void) {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (!isPaletteKey(event)) return;
      event.preventDefault(); // Firefox has these keys for itself
      event.stopImmediatePropagation(); // the same key would open the search again
      onClose();
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, [onClose]);
}

type ListProps = {
  id: string;
  entries: Entry[];
  active: Entry | undefined;
  onChoose: (target: Target) => void;
};

function EntryList({ id, entries, active, onChoose }: ListProps) {
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another entry is active, which may be out of sight
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active?.key]);
  if (entries.length === 0) return null;
  return (
    <div ref={list} id={`${id}-list`} role="listbox" aria-label="Results" className="palette-list">
      {[...Map.groupBy(entries, ({ group }) => group)].map(([group, of_group], nth) => (
        <Box key={group} role="group" aria-labelledby={`${id}-group-${nth}`}>
          <Text id={`${id}-group-${nth}`} size="xs" fw={600} c="dimmed" px="sm" pt={8} pb={4}>
            {group}
          </Text>
          {of_group.map((entry) => (
            <Option
              key={entry.key}
              id={`${id}-${entries.indexOf(entry)}`}
              entry={entry}
              active={entry === active}
              onChoose={onChoose}
            />
          ))}
        </Box>
      ))}
    </div>
  );
}

type OptionProps = { id: string; entry: Entry; active: boolean; onChoose: (target: Target) => void };

function Option({ id, entry: { label, detail, icon: Icon, target }, active, onChoose }: OptionProps) {
  return (
    <UnstyledButton
      id={id}
      role="option"
      aria-selected={active}
      tabIndex={-1}
      className="palette-entry"
      {...KEEP_FOCUS_ON_PRESS}
      onClick={() => onChoose(target)}
    >
      <Icon size={18} stroke={1.6} />
      <span>
        <span>{label}</span>
        {detail !== '' && (
          <Text size="xs" c="dimmed" component="span">
            {detail}
          </Text>
        )}
      </span>
    </UnstyledButton>
  );
}

function NothingFound({ text, shown }: { text: string; shown: boolean }) {
  if (!shown) return null;
  return (
    <Text size="sm" c="dimmed" px="md" py="lg" style={{ overflowWrap: 'anywhere' }}>
      Nothing has “{text}”: no page, and none of the wallets that you may see.
    </Text>
  );
}
