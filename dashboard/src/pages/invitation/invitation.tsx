import { Alert, Center, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconLinkOff } from '@tabler/icons-react';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useSession } from '../../api/session.ts';
import { NotSecure } from '../../components/not-secure.tsx';
import { TextLink } from '../../components/text-link.tsx';
import icon from '../../shell/icon.svg';
import { AcceptForm } from './accept-form.tsx';

/** Opened by the link of an invitation, whose token is in the fragment. It works without a login. */
export function InvitationPage() {
  const token = useToken();
  const [isClosed, setClosed] = useState(false);
  const current = useSession();
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
          {token === '' || isClosed ? (
            <NoInvitation isClosed={isClosed} />
          ) : (
            <>
              {current && (
                <Text size="sm">
                  You are signed in as{' '}
                  <strong style={{ overflowWrap: 'anywhere' }}>{current.user.email}</strong> here. When you
                  accept, this browser continues as the invited user.
                </Text>
              )}
              {window.isSecureContext ? (
                <AcceptForm key={token} token={token} onClosed={() => setClosed(true)} />
              ) : (
                <NotSecure />
              )}
            </>
          )}
        </Stack>
      </Paper>
    </Center>
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

function NoInvitation({ isClosed }: { isClosed: boolean }) {
  return (
    <>
      <Alert
        color="orange"
        variant="light"
        icon={<IconLinkOff />}
        role="alert"
        title={isClosed ? 'This invitation cannot be accepted' : 'The invitation is missing'}
      >
        <Text size="sm">
          {isClosed
            ? 'The link was used, was revoked, has expired, or is not complete. Ask for a new link.'
            : 'Open the link that you were sent again, all of it.'}
        </Text>
      </Alert>
      <Text size="sm">
        Have you accepted it before? Then <TextLink to="/login">sign in</TextLink>.
      </Text>
    </>
  );
}
