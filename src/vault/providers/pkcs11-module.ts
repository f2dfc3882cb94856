/** The part of pkcs11js that is used. The package compiles when it is installed, so only its users install it. */
import { createRequire } from 'node:module';

type Handle = Buffer;
type Mechanism = { mechanism: number; parameter: object };

export type Pkcs11 = {
  load(path: string): void;
  C_Initialize(options: { flags: number }): void;
  C_GetSlotList(token_present: boolean): Handle[];
  C_GetTokenInfo(slot: Handle): { label: string };
  C_OpenSession(slot: Handle, flags: number): Handle;
  C_Login(session: Handle, user: number, pin: string): void;
  C_FindObjectsInit(session: Handle, template: { type: number; value: number | string }[]): void;
  C_FindObjects(session: Handle, count: number): Handle[];
  C_FindObjectsFinal(session: Handle): void;
  C_EncryptInit(session: Handle, mechanism: Mechanism, key: Handle): void;
  C_EncryptAsync(session: Handle, from: Buffer, into: Buffer): Promise<Buffer>;
  C_DecryptInit(session: Handle, mechanism: Mechanism, key: Handle): void;
  C_DecryptAsync(session: Handle, from: Buffer, into: Buffer): Promise<Buffer>;
};

export const PACKAGE = 'pkcs11js';

/** Loads the package. Returns null when it is not installed. */
export function loadPkcs11(): Pkcs11 | null {
  const require = createRequire(import.meta.url);
  try {
    const { PKCS11 } = require(PACKAGE);
    return new PKCS11();
  } catch (error) {
    if ((error as { code?: string }).code === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
}

/** Numbers of PKCS#11 (OASIS, "PKCS #11 Specification Version 3.1"), and `gcm`: the name of pkcs11js for such parameters. */
export const CK = {
  os_locking_ok: 0x2,
  serial_session: 0x4,
  rw_session: 0x2,
  user: 1,
  class: 0x0,
  label: 0x3,
  key_type: 0x100,
  secret_key: 4,
  aes: 0x1f,
  aes_gcm: 0x1087,
  gcm: 3,
} as const;

/** Codes of errors. */
export const CKR = {
  key_size_range: 0x62,
  key_type_inconsistent: 0x63,
  key_function_not_permitted: 0x68,
  mechanism_invalid: 0x70,
  mechanism_param_invalid: 0x71,
  pin_incorrect: 0xa0,
  pin_invalid: 0xa1,
  pin_len_range: 0xa2,
  pin_expired: 0xa3,
  pin_locked: 0xa4,
  user_already_logged_in: 0x100,
} as const;
