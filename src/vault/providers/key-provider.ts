/**
 * A key provider: a service or a device whose key never leaves it. The provider makes a data key for each seed, and wraps
 * that data key; the wrapped bytes are stored beside the seed. Only the provider unwraps them again.
 *
 * A data key alone opens no seed: data-keys.ts mixes it with a secret of the master key.
 */

/** Whose seed the data key is for. A provider that is given other fields than at the wrapping refuses to unwrap. */
export type KeyContext = { id: string; public_key: Buffer };

export type KeyProvider = {
  kind: 'aws-kms' | 'pkcs11';
  /** The key in the operator's words. No secret. */
  key: string;
  /** Calls at once. Others wait. */
  parallel: number;
  /**
   * Makes a data key of 32 bytes. `data_key` is in locked memory, and is wiped when `use` returns.
   * @throws KeyProviderError
   */
  makeDataKey<T>(context: KeyContext, use: (data_key: Buffer, wrapped: Buffer) => T): Promise<T>;
  /**
   * Unwraps what `makeDataKey` gave. `data_key` is in locked memory, and is wiped when `use` returns.
   * @throws KeyProviderError
   */
  unwrapDataKey<T>(wrapped: Buffer, context: KeyContext, use: (data_key: Buffer) => T): Promise<T>;
  close(): Promise<void>;
};

/**
 * | fault       | what is known                                                                                   |
 * |-------------|-------------------------------------------------------------------------------------------------|
 * | `refused`   | these bytes, or this context, are not of this key                                               |
 * | `denied`    | the provider does not accept who asks: no right, no credentials, a wrong clock, a wrong PIN     |
 * | `disabled`  | somebody has disabled the key, or has scheduled its deletion                                    |
 * | `unusable`  | there is no such key, or it is of another kind                                                  |
 * | `throttled` | too many requests                                                                               |
 * | `away`      | anything else: nothing is known about the key                                                   |
 */
export type ProviderFault = 'refused' | 'denied' | 'disabled' | 'unusable' | 'throttled' | 'away';

/** The message is for the operator. It has no secret. */
export class KeyProviderError extends Error {
  readonly fault: ProviderFault;

  constructor(fault: ProviderFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'KeyProviderError';
    this.fault = fault;
  }
}

export const DATA_KEY_BYTES = 32;
