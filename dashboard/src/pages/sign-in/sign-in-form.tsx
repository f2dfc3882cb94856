import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { api } from '../../api/client.ts';
import type { User } from '../../api/contract.ts';
import { challengeIn, type LoginChallenge } from '../../api/factors.ts';
import { session } from '../../api/session.ts';
import { requireSignedIn } from '../../api/signing-in.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { forgetTyped } from '../withdraw/draft.ts';
import { SecondStep } from './second-step.tsx';

/** `email`: the user whose session continues. Another user starts at the list of wallets. */
export function SignInForm({ email, onSignedIn }: { email?: string; onSignedIn: () => void }) {
  const [challenge, setChallenge] = useState<LoginChallenge | null>(null);
  const [ended, setEnded] = useState<Error | null>(null);
  const signIn = useMutation({
    mutationFn: async (body: { email: string; password: string }) =>
      requireSignedIn((await api('login', { body })).user.id),
    onSuccess: begin,
    onError: (error) => setChallenge(challengeIn(error)),
    onMutate: () => setEnded(null),
  });

  function begin(user: User) {
    const same = session.current()?.user.id === user.id;
    const expired = session.current()?.expired ?? false;
    session.begin(user);
    if (!same) forgetTyped();
    if (expired && !same) window.location.assign('/wallets');
    else onSignedIn();
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    signIn.mutate({ email: String(form.get('email')), password: String(form.get('password')) });
  }

  function back(error: Error | null) {
    setChallenge(null);
    setEnded(error);
    signIn.reset();
  }

  if (challenge) return <SecondStep challenge={challenge} onProven={begin} onBack={back} />;
  const error = signIn.error ?? ended;
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {error && <ErrorAlert error={error} />}
        <TextInput
          name="email"
          inputMode="email" // type="email" takes letters of ASCII only
          autoCapitalize="none"
          spellCheck={false}
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
