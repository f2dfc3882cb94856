import { SANDBOX_PASSPHRASE } from './passphrase.ts';

/** A sandbox answers within milliseconds; another server may never answer. */
const PATIENCE_MS = 2_000;

/** Whether a sandbox answers at this RPC URL. */
export async function isRunning(rpc_url: string): Promise<boolean> {
  try {
    const response = await fetch(rpc_url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"getNetwork"}',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const { result } = (await response.json()) as { result?: { passphrase?: unknown } };
    return result?.passphrase === SANDBOX_PASSPHRASE;
  } catch {
    return false; // nothing listens there, or something else
  }
}

/** RPC URLs of the sandboxes of this machine that listen on these ports. */
export async function runningOn(ports: readonly number[]): Promise<string[]> {
  const urls = ports.map((port) => `http://127.0.0.1:${port}/rpc`);
  const running = await Promise.all(urls.map(isRunning));
  return urls.filter((_url, index) => running[index]);
}
