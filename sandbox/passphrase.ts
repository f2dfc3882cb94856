/** Passphrase of the local network of the Stellar quickstart image; `Networks.STANDALONE` in the SDK. */
export const SANDBOX_PASSPHRASE = 'Standalone Network ; February 2017';
