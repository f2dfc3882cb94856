import type { Clock } from '../../lib/clock.ts';
import type { AwsKmsSettings } from './aws-kms.ts';
import type { KeyProvider } from './key-provider.ts';
import type { Pkcs11Settings } from './pkcs11-messages.ts';

/** Opens the provider of the configuration. Only its own code is loaded, and nothing is asked yet. */
export async function openProvider(
  settings: ({ kind: 'aws-kms' } & AwsKmsSettings) | ({ kind: 'pkcs11' } & Pkcs11Settings),
  clock: Clock,
): Promise<KeyProvider> {
  if (settings.kind === 'aws-kms') {
    const { openAwsKms } = await import('./aws-kms.ts');
    return openAwsKms(settings, clock);
  }
  const { openPkcs11 } = await import('./pkcs11.ts');
  return openPkcs11(settings);
}
