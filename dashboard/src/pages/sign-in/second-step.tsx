import { Button, Stack, Text } from '@mantine/core';
import { ApiError, api } from '../../api/client.ts';
import type { User } from '../../api/contract.ts';
import type { LoginChallenge, Proof } from '../../api/factors.ts';
import { requireSignedIn } from '../../api/signing-in.ts';
import { ProofForm } from '../../components/proof-form.tsx';

type Props = {
  challenge: LoginChallenge;
  onProven: (user: User) => void;
  /** Back to the password. With an error when the challenge has ended. */
  onBack: (error: Error | null) => void;
};

/** The second step of a login. */
export function SecondStep({ challenge: { challenge, methods, passkey_options }, onProven, onBack }: Props) {
  async function prove(proof: Proof) {
    try {
      const { user } = await api('proveSecondFactor', { body: { challenge, ...proof } });
      onProven(await requireSignedIn(user.id));
    } catch (error) {
      if (error instanceof ApiError && ENDED.has(error.code)) onBack(error);
      else throw error;
    }
  }
  const usable = passkey_options ? methods : methods.filter((method) => method !== 'passkey');
  return (
    <Stack gap="md">
      <Text size="sm">Your password is right. Now prove your second factor.</Text>
      <ProofForm
        methods={usable}
        passkeyOptions={async () => passkey_options ?? { challenge: '' }}
        prove={prove}
      />
      <Button variant="subtle" color="gray" size="compact-sm" onClick={() => onBack(null)}>
        Back
      </Button>
    </Stack>
  );
}

/** The challenge has ended, or the password is no longer right. */
const ENDED = new Set(['challenge_ended', 'wrong_credentials']);
