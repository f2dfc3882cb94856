import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { SubmitEvent } from 'react';
import { api } from '../../api/client.ts';
import { session } from '../../api/session.ts';
import { requireSignedIn } from '../../api/signing-in.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { forgetTyped } from '../withdraw/draft.ts';

/** `email`: the user whose session continues. Another user starts at the list of wallets. */
export function SignInForm({ email, onSignedIn }: { email?: string; onSignedIn: () => void }) {
  const signIn = useMutation({
    mutationFn: async (body: { email: string; password: string }) =>
      requireSignedIn((await api('login', { body })).user.id),
    onSuccess: (user) => {
      const same = session.current()?.user.id === user.id;
      const expired = session.current()?.expired ?? false;
      session.begin(user);
      if (!same) forgetTyped();
      if (expired && !same) window.location.assign('/wallets');
      else onSignedIn();
    },
  });

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    signIn.mutate({ email: String(form.get('email')), password: String(form.get('password')) });
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {signIn.error && <ErrorAlert error={signIn.error} />}
        <TextInput
          name="email"
          type="email"
          label="E-mail"
          autoComplete="username"
          required
          defaultValue={email}
          autoFocus={!email}
        />
        <PasswordInput
          name="password"
          label="Password"
          autoComplete="current-password"
          required
          data-autofocus={email ? true : undefined}
        />
        <Button type="submit" loading={signIn.isPending}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}
