import { Badge, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDevicesOff } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { api } from '../../api/client.ts';
import type { Session } from '../../api/contract.ts';
import { DateTime } from '../../components/date-time.tsx';
import { type Column, InfiniteTable } from '../../components/infinite-table.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { timeColumn } from '../../components/time-column.tsx';
import { Section } from '../developers/section.tsx';
import { EndOthers, EndSession, SESSIONS } from './session-dialogs.tsx';

/** The open sessions of the user, in browsers and of programs. */
export function SessionsSection() {
  const [chosen, setChosen] = useState<Session | null>(null);
  const [endingOthers, endOthers] = useDisclosure();
  const columns = useMemo(() => sessionColumns(setChosen), []);
  return (
    <Section
      title="Sessions"
      description={
        <>
          Browsers and programs that are signed in as you. End those that you do not know, and{' '}
          <TextLink to="/account" underline="always">
            change your password
          </TextLink>
          .
        </>
      }
      actions={
        <Button variant="default" leftSection={<IconDevicesOff size={16} />} onClick={endOthers.open}>
          End all others
        </Button>
      }
    >
      <InfiniteTable
        label="Sessions"
        queryKey={SESSIONS}
        fetchPage={(page, given) =>
          api('listSessions', {
            query: { limit: 200, ...page },
            ...given,
          })
        }
        columns={columns}
        empty={null}
      />
      {chosen && <EndSession session={chosen} onClose={() => setChosen(null)} />}
      {endingOthers && <EndOthers onClose={endOthers.close} />}
    </Section>
  );
}

function sessionColumns(end: (session: Session) => void): Column<Session>[] {
  return [
    {
      title: 'Device',
      cell: ({ device, kind, current, ip, last_used_at }) => (
        <>
          <Group gap="xs">
            <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
              {device ?? 'Unknown'}
            </Text>
            {current && <Badge color="teal">this session</Badge>}
            {kind === 'program' && <Badge color="gray">program</Badge>}
          </Group>
          <Text size="sm" c="dimmed" hiddenFrom="sm" style={{ overflowWrap: 'anywhere' }}>
            {ip ?? 'unknown address'}
          </Text>
          <Text size="sm" c="dimmed" hiddenFrom="md" className="whole">
            last used <LastUse at={last_used_at} />
          </Text>
        </>
      ),
    },
    { title: 'Address', width: 170, visibleFrom: 'sm', cell: ({ ip }) => <Fact>{ip}</Fact> },
    {
      title: 'Last use',
      width: 180,
      visibleFrom: 'md',
      cell: ({ last_used_at }) => (
        <Text size="sm">
          <LastUse at={last_used_at} />
        </Text>
      ),
    },
    timeColumn('Signed in', ({ created_at }) => created_at, 'lg'),
    {
      title: 'Action',
      width: 96,
      cell: (session) =>
        !session.current && (
          <Button
            size="xs"
            variant="default"
            onClick={() => end(session)}
            aria-label={`End the session of ${session.device ?? 'an unknown device'}`}
          >
            End
          </Button>
        ),
    },
  ];
}

function LastUse({ at }: { at: string | null }) {
  return at === null ? 'at an unknown time' : <DateTime at={at} />;
}

function Fact({ children }: { children: string | null }) {
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {children ?? '—'}
    </Text>
  );
}
