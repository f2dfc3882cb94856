import { Alert, Center, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconLinkOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { api, isNotFound } from '../../api/client.ts';
import type { ReceivedInvitation } from '../../api/contract.ts';
import { useSession } from '../../api/session.ts';
import { DateTime } from '../../components/date-time.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { NotSecure } from '../../components/not-secure.tsx';
import { TextLink } from '../../components/text-link.tsx';
import icon from '../../shell/icon.svg';
import { isolated } from '../../text/isolate.ts';
import { AcceptForm } from './accept-form.tsx';
import { Welcome } from './welcome.tsx';

/** Opened by the link of an invitation, whose token is in the fragment. It works without a login. */
export function InvitationPage() {
  const token = useToken();
  useEffect(() => {
    document.title = 'Invitation · Stellar Teller';
  }, []);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder shadow="sm" p={{ base: 'md', xs: 'xl' }} w="100%" maw={460}>
        <Group mb="lg" gap="sm" wrap="nowrap">
          <img src={icon} alt="" width={36} height={36} />
          <Title order={1} size="h3">
            Join a team on Stellar Teller
          </Title>
        </Group>
        <Stack gap="md">
          {token === '' && (
            <NoInvitation title="The invitation is missing">
              Open the link that you were sent again, all of it.
            </NoInvitation>
          )}
          {token !== '' && (window.isSecureContext ? <OfToken key={token} token={token} /> : <NotSecure />)}
        </Stack>
      </Paper>
    </Center>
  );
}

function OfToken({ token }: { token: string }) {
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => api('readInvitation', { body: { token }, signal }),
    gcTime: 0, // the next user of this browser must not find the token
  });
  const team_name = invitation.data?.team_name;
  useEffect(() => {
    if (team_name) document.title = `Invitation to ${isolated(team_name)} · Stellar Teller`;
  }, [team_name]);
  if (isNotFound(invitation.error))
    return (
      <NoInvitation title="This invitation cannot be accepted">
        The link was revoked, or is not complete. Open all of it, or ask for a new one.
      </NoInvitation>
    );
  return (
    <Loaded query={invitation}>
      {(received) => <Received invitation={received} token={token} again={() => void invitation.refetch()} />}
    </Loaded>
  );
}

type ReceivedProps = { invitation: ReceivedInvitation; token: string; again: () => void };

function Received({ invitation, token, again }: ReceivedProps) {
  const current = useSession();
  const { state, email, team_name, inviter_name, expires_at } = invitation;
  const ask = <>Ask {isolated(inviter_name)} for a new link.</>;
  if (state === 'accepted')
    return (
      <NoInvitation title="This invitation was accepted">
        Somebody has joined {isolated(team_name)} with it already. Was it you? Then{' '}
        <TextLink to="/login" c="inherit" underline="always">
          sign in
        </TextLink>{' '}
        with {email}. If it was not, tell {isolated(inviter_name)}.
      </NoInvitation>
    );
  if (state === 'expired')
    return (
      <NoInvitation title="This invitation has expired">
        It was valid until <DateTime at={expires_at} />. {ask}
      </NoInvitation>
    );
  return (
    <>
      <Welcome invitation={invitation} />
      {current && (
        <Text size="sm">
          You are signed in as <strong style={{ overflowWrap: 'anywhere' }}>{current.user.email}</strong>{' '}
          here. When you accept, this browser continues as the invited user.
        </Text>
      )}
      <AcceptForm token={token} isKnown={invitation.is_known_device} onClosed={again} />
    </>
  );
}

/**
 * The token of the link; empty without one. It leaves the address bar and the history of the tab, where the next user of
 * this browser would find it. Another link that is opened in the same tab changes only the fragment.
 */
function useToken(): string {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [token, setToken] = useState(hash);
  useEffect(() => {
    if (hash === '') return;
    setToken(hash);
    void navigate({ to: '/invitation', hash: '', replace: true });
  }, [hash, navigate]);
  return token;
}

function NoInvitation({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Alert color="orange" variant="light" icon={<IconLinkOff />} role="alert" title={title}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </Alert>
  );
}
