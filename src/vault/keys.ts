import { createKeyRing, type DerivedKeys, type KeyRing } from './master-keys/key-ring.ts';
import type { DataKeys } from './providers/data-keys.ts';
import { createSecrets, type Secrets } from './secrets.ts';
import { createVault, type Vault } from './vault.ts';

/** Everything that works with the master keys of one ring. */
export type Keys = {
  key_ring: KeyRing;
  /** The data keys of the key provider; null without one. */
  data_keys: DataKeys | null;
  vault: Vault;
  secrets: Secrets;
  /** HMAC keys of login tokens. */
  jwt_keys: DerivedKeys;
  /** HMAC keys of device tokens and of the counts of failed logins. */
  device_keys: DerivedKeys;
};

/** Makes everything that works with these master keys. `master_keys`: as `createKeyRing` takes them. */
export function createKeys(
  master_keys: Parameters<typeof createKeyRing>[0],
  data_keys: DataKeys | null = null,
): Keys {
  const key_ring = createKeyRing(master_keys, { has_provider: data_keys !== null });
  return {
    key_ring,
    data_keys,
    vault: createVault(key_ring, data_keys),
    secrets: createSecrets(key_ring),
    jwt_keys: key_ring.derive('login tokens'),
    device_keys: key_ring.derive('known devices'),
  };
}
