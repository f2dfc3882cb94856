import { Stack, Text, TextInput } from '@mantine/core';
import type { ReceivedInvitation } from '../../api/contract.ts';
import { DateTime } from '../../components/date-time.tsx';
import { counted } from '../../text/counted.ts';
import { isolated } from '../../text/isolate.ts';
import { ROLE_WORDS } from '../../text/roles.ts';

/** Who invites whom to which team, and what the member may do there. */
export function Welcome({ invitation }: { invitation: ReceivedInvitation }) {
  const { team_name, inviter_name, inviter_email, email, role, wallets, expires_at } = invitation;
  return (
    <Stack gap="md">
      <Text style={{ overflowWrap: 'anywhere' }}>
        {isolated(inviter_name)} ({inviter_email}) invites you to <strong>{isolated(team_name)}</strong> as{' '}
        <strong>{ROLE_WORDS[role].label}</strong>. {ROLE_WORDS[role].you}
        {wallets !== null && ` You see ${counted(wallets, 'wallet')} of the team.`}
      </Text>
      <Text size="sm" c="dimmed">
        The invitation is valid until <DateTime at={expires_at} />, and works once.
      </Text>
      <TextInput
        label="E-mail"
        value={email}
        readOnly
        variant="filled"
        autoComplete="username" // so that a password manager stores the password with it
      />
    </Stack>
  );
}
