import { Alert, Button, PasswordInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
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

type Kind = 'new' | 'existing';
type Acceptance = { password: string; name?: string; challenge?: string } & Proof;

type Props = {
  token: string;
  /** The service has no open invitation with this token. */
  onClosed: () => void;
};

/** A new user gives a name and chooses a password; an existing one proves theirs. Nothing here tells which of them it is. */
export function AcceptForm({ token, onClosed }: Props) {
  const [kind, setKind] = useState<Kind>('new');
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
  const isNew = kind === 'new';
  if (asked) return <SecondFactor {...asked} accept={accept.mutateAsync} />;
  const fault = accept.error && faultOf(accept.error);

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const password = String(typed.get('password'));
    accept.mutate(isNew ? { password, name: String(typed.get('name')) } : { password });
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <SegmentedControl
          fullWidth
          aria-label="Who you are"
          data={[
            { value: 'new', label: 'I am new' },
            { value: 'existing', label: 'I have a password' },
          ]}
          value={kind}
          onChange={(to) => {
            setKind(to as Kind);
            accept.reset();
          }}
        />
        <Text size="sm" c="dimmed">
          {isNew
            ? 'You sign in to this team with the e-mail address that was invited and this password. If you are in another team with this address, choose another password here.'
            : 'Give the password that you have on this service, for the e-mail address that was invited. You leave the team of your own.'}
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
          key={kind}
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
