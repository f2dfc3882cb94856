import { Alert, Center, Group, Paper, Text, Title } from '@mantine/core';
import { IconLockOpen } from '@tabler/icons-react';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import icon from '../../shell/icon.svg';
import { SignInForm } from './sign-in-form.tsx';

export function SignIn() {
  const { next } = useSearch({ from: '/login' });
  const navigate = useNavigate();
  const router = useRouter();
  useEffect(() => {
    document.title = 'Sign in · Stellar Teller';
  }, []);

  function goOn() {
    // Only a path of this site: a link could have set any other URL.
    if (next?.startsWith('/') && !next.startsWith('//')) router.history.push(next);
    else void navigate({ to: '/wallets' });
  }

  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder shadow="sm" p="xl" w="100%" maw={400}>
        <Group mb="lg" gap="sm">
          <img src={icon} alt="" width={36} height={36} />
          <Title order={1} size="h3">
            Stellar Teller
          </Title>
        </Group>
        {window.isSecureContext ? <SignInForm onSignedIn={goOn} /> : <NotSecure />}
      </Paper>
    </Center>
  );
}

/** A browser keeps the cookie of a session from HTTPS and from its own machine only, and drops it without a word. */
function NotSecure() {
  return (
    <Alert color="orange" variant="light" icon={<IconLockOpen />} role="alert" title="Sign in over HTTPS">
      <Text size="sm">
        This page came over plain HTTP from <strong>{window.location.host}</strong>. Everybody on the way
        could read a password that you type here, and the browser would not keep you signed in.
      </Text>
      <Text size="sm" mt="xs">
        Open the https:// address of the service. If it has none, the operator puts a proxy with TLS before
        it. On the machine of the service itself, http://localhost works too.
      </Text>
    </Alert>
  );
}
