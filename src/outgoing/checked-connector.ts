/**
 * Connects to checked addresses only: to hosts that other people name. It checks all answers of the connection's own
 * lookup, and the peer once connected: a name that resolves to another address than before (DNS rebinding) does not pass.
 */
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import { type Exemptions, isAllowedAddress, isExemptHost, isPublicAddress } from './public-url.ts';
import type { Resolve } from './resolve-host.ts';
import { skipInformational } from './skip-informational.ts';

export const CONNECT_TIMEOUT_MS = 5_000;

/** The address may not be connected to. The message does not name the address: people outside may read it. */
export class RefusedAddress extends Error {}

/** Called with each new connection. `is_exempt`: only an exemption allows it. */
export type OnConnect = (socket: Socket, peer: { is_exempt: boolean }) => void;

/**
 * Creates a connector for undici. Hosts that are exempt by name are looked up by the system, and their addresses are not checked.
 * `ca`: for tests, a certificate to trust.
 */
export function checkedConnector({
  exemptions,
  resolve,
  connected,
  ca,
}: {
  exemptions: Exemptions;
  resolve: Resolve;
  connected: OnConnect;
  ca?: string | undefined;
}): buildConnector.connector {
  const lookup: LookupFunction = (hostname, { all }, done) => {
    const answer = (error: Error | null, addresses: { address: string; family: number }[]) => {
      if (all) done(error, addresses);
      else done(error, addresses[0]?.address ?? '', addresses[0]?.family);
    };
    resolve(hostname).then(
      (addresses) => {
        const refusal = refusalOf(addresses, exemptions);
        answer(refusal, refusal ? [] : addresses.map((address) => ({ address, family: isIP(address) })));
      },
      (error: Error) => answer(error, []),
    );
  };
  const settings = {
    timeout: CONNECT_TIMEOUT_MS,
    autoSelectFamilyAttemptTimeout: 2_000,
    allowH2: false,
    rejectUnauthorized: true,
    ...(ca !== undefined && { ca }),
  };
  const connectChecked = buildConnector({ ...settings, lookup });
  const connectExempt = buildConnector(settings); // with the system's lookup: the operator has approved the name

  return (target, done) => {
    const url = urlOf(target);
    if (isExemptHost(url, exemptions)) {
      return connectExempt(target, (...[error, socket]) => {
        if (!socket) return done(error, null);
        skipInformational(socket);
        connected(socket, { is_exempt: true });
        done(null, socket);
      });
    }
    // An address in the URL is not looked up.
    const refusal = isIP(target.hostname) === 0 ? null : refusalOf([target.hostname], exemptions);
    if (refusal) return done(refusal, null);
    connectChecked(target, (error, socket) => {
      if (!socket) return done(error, null);
      const peer = socket.remoteAddress ?? '';
      const refused = refusalOf([peer], exemptions);
      if (refused) {
        socket.destroy();
        return done(refused, null);
      }
      skipInformational(socket);
      connected(socket, { is_exempt: !isPublicAddress(peer) });
      done(null, socket);
    });
  };
}

function refusalOf(addresses: string[], exemptions: Exemptions): RefusedAddress | null {
  if (addresses.length === 0) return new RefusedAddress('the host name has no address');
  const allowed = addresses.every((address) => isAllowedAddress(address, exemptions));
  return allowed ? null : new RefusedAddress('not sent: the host has an address that is not public');
}

function urlOf({ protocol, hostname, port }: buildConnector.Options): URL {
  const host = isIP(hostname) === 6 ? `[${hostname}]` : hostname;
  return new URL(`${protocol}//${host}${port ? `:${port}` : ''}`);
}
