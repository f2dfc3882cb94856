import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { browserSupportsWebAuthn } from '@simplewebauthn/browser';
import { IconFingerprint } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { ApiError } from '../api/client.ts';
import type { FactorMethod, PasskeyOptions } from '../api/contract.ts';
import { type Proof, passkeyProblem, proofByPasskey } from '../api/factors.ts';
import { ErrorAlert } from './error-alert.tsx';

type Props = {
  methods: readonly FactorMethod[];
  passkeyOptions: () => Promise<PasskeyOptions>;
  /** Sends the proof. Rejects when it was not right. */
  prove: (proof: Proof) => Promise<unknown>;
};

type CodeField = 'totp' | 'recovery_code';

/** Asks for one second factor, in the ways that the user has. */
export function ProofForm({ methods, passkeyOptions, prove }: Props) {
  const hasPasskey = methods.includes('passkey') && browserSupportsWebAuthn();
  const codes = methods.filter((method): method is CodeField => method !== 'passkey');
  // Beside a passkey, a recovery code is the last resort.
  const first = codes.find((code) => code === 'totp' || !hasPasskey);
  const [chosen, choose] = useState<CodeField | undefined>(first);
  const byPasskey = useMutation({
    mutationFn: async () => prove(await proofByPasskey(await passkeyOptions())),
  });
  if (!hasPasskey && codes.length === 0) return <NoWay hasPasskey={methods.includes('passkey')} />;
  const other = codes.find((code) => code !== chosen);
  const problem = passkeyProblem(byPasskey.error);
  return (
    <Stack gap="md">
      {hasPasskey && (
        <Button
          leftSection={<IconFingerprint size={18} />}
          loading={byPasskey.isPending}
          onClick={() => byPasskey.mutate()}
          data-autofocus
        >
          Use a passkey
        </Button>
      )}
      {problem && (
        <Alert color="orange" role="alert">
          {problem}
        </Alert>
      )}
      {byPasskey.error && !problem && <ErrorAlert error={byPasskey.error} />}
      {chosen && <CodeForm key={chosen} field={chosen} isFirst={!hasPasskey} prove={prove} />}
      {other && (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => choose(other)}>
          {CODE_WORDS[other].choose}
        </Button>
      )}
    </Stack>
  );
}

const CODE_WORDS = {
  totp: {
    label: 'Code of your authenticator app',
    choose: 'Use the code of the authenticator app',
    input: { inputMode: 'numeric', autoComplete: 'one-time-code' },
  },
  recovery_code: {
    label: 'Recovery code',
    choose: 'Use a recovery code',
    input: { autoComplete: 'off' },
  },
} as const;

function CodeForm({ field, isFirst, prove }: { field: CodeField; isFirst: boolean; prove: Props['prove'] }) {
  const check = useMutation({ mutationFn: (code: string) => prove({ [field]: code }) });
  const { label, input } = CODE_WORDS[field];
  const isWrong = check.error instanceof ApiError && check.error.code === 'second_factor_wrong';

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    check.mutate(String(new FormData(event.currentTarget).get('code')));
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          name="code"
          label={label}
          maxLength={64}
          required
          error={isWrong && check.error?.message}
          {...(isFirst ? { 'data-autofocus': true, autoFocus: true } : {})}
          {...input}
        />
        {check.error && !isWrong && <ErrorAlert error={check.error} />}
        <Button type="submit" variant={isFirst ? 'filled' : 'default'} loading={check.isPending}>
          Continue
        </Button>
      </Stack>
    </form>
  );
}

function NoWay({ hasPasskey }: { hasPasskey: boolean }) {
  return (
    <Alert color="orange" role="alert" title="You cannot prove a second factor here">
      <Text size="sm">
        {hasPasskey
          ? 'This browser has no passkeys at this address. Open the address that the operator of the service has set, by https or on localhost.'
          : 'No recovery code is left, and your other factors cannot be used now.'}{' '}
        The operator of this service can remove your factors.
      </Text>
    </Alert>
  );
}
