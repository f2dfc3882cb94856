import type { Sandbox } from './launch.ts';

/** The text for a person when the network is up: its URLs, its name, and where its ledger is (`place`, in words). */
export function sandboxBanner(sandbox: Sandbox, place: string, close_ms: number | 'virtual'): string {
  const ledgers = close_ms === 'virtual' ? 'on a virtual clock' : `one every ${close_ms / 1000} s`;
  return `
  A Stellar network is running here.

  Page        ${sandbox.url}
  RPC         ${sandbox.rpc_url}
  Horizon     ${sandbox.url.replace(/\/$/, '')}
  Friendbot   ${sandbox.friendbot_url}
  Passphrase  ${sandbox.passphrase}
  Root        ${sandbox.root_account}
  Ledger      ${place}, ${ledgers}

`;
}
