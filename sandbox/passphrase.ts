/** What the Stellar quickstart image calls its local network, and the SDK `Networks.STANDALONE`. */
export const SANDBOX_PASSPHRASE = 'Standalone Network ; February 2017';
