import { Drawer, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AuditEntry } from '../../api/contract.ts';
import { stringifyExact } from '../../api/exact-json.ts';
import { Copyable } from '../../components/copy.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Details } from '../../components/details.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { actionInWords } from '../../text/audit-actions.ts';
import { capitalized } from '../../text/capitalized.ts';
import { CodeBlock } from '../developers/code-block.tsx';
import { changeOf, differing, factIn, labelOf, linked } from './facts.ts';
import { Pieces } from './pieces.tsx';
import { entryQuery } from './query.ts';
import { sentenceOf } from './sentences.ts';
import { actorOf, type Names, type Piece, type Told, toldOf, walletNamed } from './told.ts';

type Props = {
  /** Undefined: closed. */
  seq: string | undefined;
  names: Names;
  onClose: () => void;
};

/** Everything that an entry says. */
export function EntryDrawer({ seq, names, onClose }: Props) {
  return (
    <Drawer
      opened={seq !== undefined}
      onClose={onClose}
      title={`Entry ${seq ?? ''}`}
      position="right"
      size="lg"
    >
      {seq !== undefined && <Opened key={seq} {...{ seq, names }} />}
    </Drawer>
  );
}

function Opened({ seq, names }: { seq: string; names: Names }) {
  const query = useQuery(entryQuery(seq));
  return (
    <Loaded query={query} lines={8}>
      {(entry) =>
        entry === null ? (
          <Text size="sm">There is no entry {seq}, or it is about a wallet that you may not use.</Text>
        ) : (
          <Stack>
            <Text style={{ overflowWrap: 'anywhere' }}>
              <Pieces pieces={sentenceOf(entry, names)} />
            </Text>
            <Details rows={rowsOf(toldOf(entry, names))} />
            <Facts told={toldOf(entry, names)} />
            <Technical entry={entry} />
          </Stack>
        )
      }
    </Loaded>
  );
}

const shown = (pieces: Piece[]): ReactNode => <Pieces pieces={pieces} />;

function rowsOf(told: Told): [string, ReactNode][] {
  const { entry, names } = told;
  const { at, wallet_id, target } = entry;
  const concerned = target.id === wallet_id ? null : target.id;
  return [
    ['When', <DateTime key="at" at={at} seconds />],
    ['Who', shown(actorOf(told))],
    ['Wallet', wallet_id && shown([walletNamed(wallet_id, names)])],
    ['Concerns', concerned && shown(linked(told, concerned) ?? [concerned])],
  ];
}

/** What changed, and what is so beside it: amounts in units, ids as links. */
function Facts({ told }: { told: Told }) {
  const { before, after } = told;
  const changed = new Set(told.entry.before === null ? [] : differing(told));
  const names = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  if (names.length === 0) return null;
  const wordsOf = (name: string) => {
    if (changed.has(name)) return changeOf(told, name, Number.POSITIVE_INFINITY);
    return factIn(told, Object.hasOwn(after, name) ? after : before, name, Number.POSITIVE_INFINITY);
  };
  return (
    <div>
      <Title order={3} size="h5" mb="xs">
        Facts
      </Title>
      <Details rows={names.map((name) => [capitalized(labelOf(name)), shown(wordsOf(name))])} />
    </div>
  );
}

function Technical({ entry }: { entry: AuditEntry }) {
  const { id, action, actor, target, session_id, ip, before, after, hash } = entry;
  return (
    <div>
      <Title order={3} size="h5" mb="xs">
        Technical
      </Title>
      <Stack>
        <Details
          rows={[
            ['Action', `${action} (${actionInWords(action)})`],
            ['Kind of actor', actor.kind],
            ['Id of actor', actor.id && <Copyable value={actor.id} what="id of the actor" ends={16} />],
            ['IP address', ip],
            ['Session', session_id],
            ['Target', target.id === null ? target.kind : `${target.kind} ${target.id}`],
            ['Entry id', <Copyable key="id" value={id} what="entry id" ends={16} />],
            ['Hash', <Copyable key="hash" value={hash} what="hash" ends={16} />],
          ]}
        />
        <Text size="xs" c="dimmed">
          The hash is over the hash of the entry before, the number and the entry. The operator of the service
          can check every hash with “teller audit verify”.
        </Text>
        <Source label="Before" facts={before} />
        <Source label="After" facts={after} />
      </Stack>
    </div>
  );
}

/** As the log has it. */
function Source({ label, facts }: { label: string; facts: object | null }) {
  if (facts === null) return null;
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {label}
      </Text>
      <CodeBlock label={label} code={stringifyExact(facts, 2)} />
    </div>
  );
}
