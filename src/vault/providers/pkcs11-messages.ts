/** What the service and the process of the PKCS#11 module agree on. */
import { DATA_KEY_BYTES, type ProviderFault } from './key-provider.ts';

export type Pkcs11Settings = {
  /** Path of the vendor's library. */
  module: string;
  token_label: string;
  key_label: string;
  pin_file: string;
};

/** Calls at once: each needs a session of its own. */
export const SESSIONS = 8;

/** A wrapped data key: version, nonce, ciphertext and tag. */
export const VERSION = 1;
export const IV_BYTES = 12;
export const TAG_BYTES = 16;
export const HEAD_BYTES = 1 + IV_BYTES;
export const WRAPPED_BYTES = HEAD_BYTES + DATA_KEY_BYTES + TAG_BYTES;

/** Kinds of a call. */
export const MAKE = 1;
export const UNWRAP = 2;

/** Kinds of an answer: the place of a fault in this list, or ANSWERED. */
export const FAULTS: ProviderFault[] = ['refused', 'denied', 'disabled', 'unusable', 'throttled', 'away'];
export const ANSWERED = 255;
