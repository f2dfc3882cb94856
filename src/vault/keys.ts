import { createKeyRing, type DerivedKeys, type KeyRing } from './key-ring.ts';
import { createSecrets, type Secrets } from './secrets.ts';
import { createVault, type Vault } from './vault.ts';

/** Everything that works with the master keys of one ring. */
export type Keys = {
  key_ring: KeyRing;
  vault: Vault;
  secrets: Secrets;
  /** HMAC keys of login tokens. */
  jwt_keys: DerivedKeys;
  /** HMAC keys of device tokens and of the counts of failed logins. */
  device_keys: DerivedKeys;
};

/** `master_keys`: as `createKeyRing` takes them. */
export function createKeys(master_keys: Parameters<typeof createKeyRing>[0]): Keys {
  const key_ring = createKeyRing(master_keys);
  return {
    key_ring,
    vault: createVault(key_ring),
    secrets: createSecrets(key_ring),
    jwt_keys: key_ring.derive('login tokens'),
    device_keys: key_ring.derive('known devices'),
  };
}
