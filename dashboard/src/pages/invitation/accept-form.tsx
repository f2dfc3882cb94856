import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { ApiError, api, mayHaveTakenEffect } from '../../api/client.ts';
import { challengeIn, type LoginChallenge, type Proof } from '../../api/factors.ts';
import { session } from '../../api/session.ts';
import { requireSignedIn } from '../../api/signing-in.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { ProofForm } from '../../components/proof-form.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { forgetUser } from '../../shell/forget-user.ts';
import { faultOf } from './accept-faults.ts';

const MIN_LENGTH = 8;

type Acceptance = { password: string; name?: string; challenge?: string } & Proof;

type Props = {
  token: string;
  /** A user with the invited e-mail has signed in at this browser before. */
  isKnown: boolean;
  /** The invitation is open no longer. */
  onClosed: () => void;
};

/**
 * A new user gives a name and chooses a password; an existing one proves theirs. The service does not say which of them it is: the
 * member who invites could read that too. Only at a browser that knows the user the form begins with the password.
 */
export function AcceptForm({ token, isKnown, onClosed }: Props) {
  const [isNew, setNew] = useState(!isKnown);
  const [asked, setAsked] = useState<Asked | null>(null);
  const navigate = useNavigate();
  const accept = useMutation({
    mutationFn: async (given: Acceptance) =>
      requireSignedIn((await api('acceptInvitation', { body: { token, ...given } })).user_id),
    onSuccess: async (user) => {
      forgetUser();
      session.begin(user);
      await navigate({ to: '/wallets', replace: true });
    },
    onError: (error, { password }) => {
      const challenge = challengeIn(error);
      if (challenge) setAsked({ challenge, password });
      else if (!isOfProof(error)) setAsked(null);
      if (error instanceof ApiError && error.code === 'not_found') onClosed();
    },
  });
  if (asked) return <SecondFactor {...asked} accept={accept.mutateAsync} />;
  const fault = accept.error && faultOf(accept.error);

  function changeKind() {
    setNew(!isNew);
    accept.reset();
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const password = String(typed.get('password'));
    accept.mutate(isNew ? { password, name: String(typed.get('name')) } : { password });
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {isNew
            ? 'You sign in to this team with this e-mail address and the password that you choose here. If you are in another team with this address, choose another password.'
            : 'Give the password that you have on this service. You leave the team of your own.'}
        </Text>
        {accept.error && fault?.field === null && <ErrorAlert error={accept.error} words={fault.words} />}
        {mayHaveTakenEffect(accept.error) && (
          <Alert color="orange" title="You may be a member already">
            The answer was lost. <TextLink to="/login">Sign in</TextLink> with the e-mail address that was
            invited and this password, or try again.
          </Alert>
        )}
        {isNew && (
          <TextInput
            name="name"
            label="Name"
            description="Members of the team see it."
            autoComplete="name"
            required
            maxLength={100}
            error={fault?.field === 'name' && fault.words}
          />
        )}
        <PasswordInput
          key={isNew ? 'new' : 'existing'}
          name="password"
          label="Password"
          description={isNew ? `At least ${MIN_LENGTH} characters.` : undefined}
          autoComplete={isNew ? 'new-password' : 'current-password'}
          minLength={MIN_LENGTH}
          maxLength={1024}
          required
          error={fault?.field === 'password' && fault.words}
        />
        <Button type="submit" loading={accept.isPending}>
          Accept the invitation
        </Button>
        <Anchor component="button" type="button" size="sm" onClick={changeKind}>
          {isNew ? 'I have a password on this service' : 'I am new on this service'}
        </Anchor>
      </Stack>
    </form>
  );
}

/** An existing user with a second factor. The same is sent again with a proof. */
type Asked = { challenge: LoginChallenge; password: string };
type SecondFactorProps = Asked & { accept: (given: Acceptance) => Promise<unknown> };

function SecondFactor({
  challenge: { challenge, methods, passkey_options },
  password,
  accept,
}: SecondFactorProps) {
  return (
    <Stack gap="md">
      <Text size="sm">Your password is right. Now prove your second factor.</Text>
      <ProofForm
        methods={passkey_options ? methods : methods.filter((method) => method !== 'passkey')}
        passkeyOptions={async () => passkey_options ?? { challenge: '' }}
        prove={(proof) => accept({ password, challenge, ...proof })}
      />
    </Stack>
  );
}

/** Another proof of the same challenge may be right. */
function isOfProof(error: Error): boolean {
  return error instanceof ApiError && /^second_factor_(wrong|stopped)$/.test(error.code);
}
