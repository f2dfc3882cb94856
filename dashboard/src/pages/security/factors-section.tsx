import { Alert, Button, Group, Stack, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { browserSupportsWebAuthn } from '@simplewebauthn/browser';
import { IconDeviceMobile, IconFingerprint, IconShieldOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Factor, Factors } from '../../api/contract.ts';
import { factorsQuery } from '../../api/factors.ts';
import { DateTime } from '../../components/date-time.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Section } from '../developers/section.tsx';
import { AddApp } from './add-app.tsx';
import { AddPasskey } from './add-passkey.tsx';
import { RemoveFactor, RenameFactor } from './factor-dialogs.tsx';
import { RecoveryCodesRow } from './recovery-codes.tsx';

/** Authenticator apps, passkeys and recovery codes of the user. */
export function FactorsSection() {
  const query = useQuery(factorsQuery);
  return (
    <Section
      title="Second factors"
      description="After the password, signing in asks for one of these. So does what moves money, or decides who can, once you have not proven one for ten minutes."
      actions={query.data && <AddButtons factors={query.data} />}
    >
      <Loaded query={query}>
        {(data) => (
          <Stack gap="md">
            <Notices factors={data} />
            {data.factors.length > 0 && <FactorTable factors={data.factors} />}
            {data.factors.length > 0 && <RecoveryCodesRow left={data.recovery_codes_left} />}
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}

function AddButtons({ factors }: { factors: Factors }) {
  const [addingApp, addApp] = useDisclosure();
  const [addingPasskey, addPasskey] = useDisclosure();
  const isFirst = factors.factors.length === 0;
  return (
    <>
      {whyNoPasskeys(factors) === null && (
        <Button leftSection={<IconFingerprint size={16} />} onClick={addPasskey.open}>
          Add a passkey
        </Button>
      )}
      <Button variant="default" leftSection={<IconDeviceMobile size={16} />} onClick={addApp.open}>
        Add an authenticator app
      </Button>
      {addingApp && <AddApp isFirst={isFirst} onClose={addApp.close} />}
      {addingPasskey && <AddPasskey isFirst={isFirst} onClose={addPasskey.close} />}
    </>
  );
}

/** Passkeys are for one address. Null where they work. */
function whyNoPasskeys({ passkey_origin }: Factors): string | null {
  if (passkey_origin === null)
    return 'Passkeys do not work on this service: they need a host name and https. The operator of the service can set PUBLIC_URL.';
  if (passkey_origin !== window.location.origin)
    return `Passkeys of this service work at ${passkey_origin} only. Open that address to add one.`;
  return browserSupportsWebAuthn() ? null : 'This browser has no passkeys.';
}

function Notices({ factors }: { factors: Factors }) {
  const why = whyNoPasskeys(factors);
  return (
    <>
      {factors.required_by_team && factors.factors.length === 0 && (
        <Alert color="orange" icon={<IconShieldOff />} title="Your team requires a second factor">
          <Text size="sm">
            Until you add one, you cannot withdraw or change what your team protects by it.
          </Text>
        </Alert>
      )}
      {factors.stopped && (
        <Alert color="orange" role="alert" title="Codes of the authenticator app are refused">
          <Text size="sm">
            There were 100 wrong codes in a row: somebody who knows your password is probably guessing. Change
            the password. Sign in with a passkey or a recovery code to use the app again.
          </Text>
        </Alert>
      )}
      {factors.factors.length === 0 && (
        <Text size="sm">You have none. Anybody who learns your password can do all that you may do.</Text>
      )}
      {why && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {why}
        </Text>
      )}
    </>
  );
}

const KIND_WORDS = { totp: 'Authenticator app', passkey: 'Passkey' } as const;

type Chosen = { factor: Factor; to: 'rename' | 'remove' };

function FactorTable({ factors }: { factors: Factor[] }) {
  const [chosen, choose] = useState<Chosen | null>(null);
  const close = () => choose(null);
  return (
    <>
      <Table aria-label="Second factors" verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th visibleFrom="md">Added</Table.Th>
            <Table.Th visibleFrom="sm">Last used</Table.Th>
            <Table.Th>Action</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {factors.map((factor) => (
            <FactorRow key={factor.id} factor={factor} choose={choose} />
          ))}
        </Table.Tbody>
      </Table>
      {chosen?.to === 'rename' && <RenameFactor factor={chosen.factor} onClose={close} />}
      {chosen?.to === 'remove' && (
        <RemoveFactor factor={chosen.factor} isLast={factors.length === 1} onClose={close} />
      )}
    </>
  );
}

function FactorRow({ factor, choose }: { factor: Factor; choose: (chosen: Chosen) => void }) {
  const { name, kind, created_at, last_used_at } = factor;
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          {KIND_WORDS[kind]}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="md">
        <DateTime at={created_at} />
      </Table.Td>
      <Table.Td visibleFrom="sm">{last_used_at === null ? 'never' : <DateTime at={last_used_at} />}</Table.Td>
      <Table.Td>
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            onClick={() => choose({ factor, to: 'rename' })}
            aria-label={`Rename ${name}`}
          >
            Rename
          </Button>
          <Button
            size="xs"
            variant="default"
            onClick={() => choose({ factor, to: 'remove' })}
            aria-label={`Remove ${name}`}
          >
            Remove
          </Button>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
