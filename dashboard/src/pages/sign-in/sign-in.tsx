import { Center, Group, Paper, Title } from '@mantine/core';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { NotSecure } from '../../components/not-secure.tsx';
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
