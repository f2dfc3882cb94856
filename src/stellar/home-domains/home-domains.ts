/**
 * Asks the home domain of an issuer whether it knows an asset: the stellar.toml of the domain must name code and issuer
 * (SEP-1). The issuer's account names the domain and the file names the issuer; either alone can be written by anybody.
 *
 * | what happens                                             | the check says            | asked again      |
 * |----------------------------------------------------------|---------------------------|------------------|
 * | the file names the asset, and it is live                 | confirmed                 | after an hour    |
 * | the file does not, or there is no file (404, 410)        | not_confirmed             | after 5 minutes  |
 * | no file within 5 s, an address that is not public, a     | unreachable               | after 5 minutes  |
 * | redirect, more than 100 KiB, no TOML, no valid domain … |                           |                  |
 * | too many look-ups at once                                | unreachable               | at once          |
 *
 * A check never rejects and takes 5 s at most. What was read is in memory only; a crash or restart forgets it.
 */
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { checkUrl } from '../../outgoing/public-url.ts';
import type { Asset } from '../stellar.ts';
import { areNaming, type Currency, readLinkedCurrency, readStellarToml } from './stellar-toml.ts';
import {
  type Connecting,
  NO_EXEMPTIONS,
  openTomlConnection,
  type TomlConnection,
} from './toml-connection.ts';

/** From resolving the name to the last byte of the last file. */
export const LOOKUP_TIMEOUT_MS = 5_000;
const CONFIRMED_MS = 3_600_000;
const OTHERWISE_MS = 300_000;
const LOOKUPS_MAX = 32;
const DOMAINS_MAX = 200;
/** Files of single assets, which a stellar.toml may link to. */
const LINKS_MAX = 10;

export type HomeDomainCheck = 'confirmed' | 'not_confirmed' | 'unreachable';

export type HomeDomains = {
  /** Checks a domain; null where look-ups are off. */
  check(domain: string, asset: Asset): Promise<HomeDomainCheck | null>;
  /** Ends the look-ups under way. */
  close(): void;
};

/** `is_complete`: every linked file could be read. */
type Known = { currencies: Currency[]; is_complete: boolean };

/** Connects to nothing. */
export const NO_LOOKUPS: HomeDomains = { check: async () => null, close: () => undefined };

export function createHomeDomains({
  clock,
  log,
  ...connecting
}: { clock: Clock; log: Log } & Connecting): HomeDomains {
  const closing = new AbortController();
  const underWay = new Map<string, Promise<Known | null>>();
  /** Null: unreachable. The domain that was read first is the first to go. */
  const read = new Map<string, { known: Known | null; at_ms: number }>();

  function remembered(domain: string, asset: Asset): HomeDomainCheck | null {
    const last = read.get(domain);
    if (!last) return null;
    const said = answerOf(last.known, asset);
    const age_ms = Math.abs(clock.now().getTime() - last.at_ms); // the clock may be set back
    return age_ms < (said === 'confirmed' ? CONFIRMED_MS : OTHERWISE_MS) ? said : null;
  }

  async function lookUp(domain: string): Promise<Known | null> {
    const known = await withinTime((signal) => readDomain(domain, connecting, signal)).catch(
      (error: Error) => {
        log.debug({ err: error, domain }, 'the stellar.toml of an issuer could not be read');
        return null;
      },
    );
    read.delete(domain);
    read.set(domain, { known, at_ms: clock.now().getTime() });
    for (const oldest of read.keys()) if (read.size > DOMAINS_MAX) read.delete(oldest);
    return known;
  }

  async function withinTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const patience = new AbortController();
    const done = new AbortController();
    const over = clock
      .sleep(LOOKUP_TIMEOUT_MS, AbortSignal.any([done.signal, closing.signal]))
      .then((): never => {
        const late = new Error('not read in time');
        patience.abort(late);
        throw late;
      });
    try {
      return await Promise.race([work(patience.signal), over]);
    } finally {
      over.catch(() => undefined); // the work was quicker
      done.abort();
    }
  }

  return {
    async check(text, asset) {
      const domain = hostNameIn(text, connecting);
      if (domain === null) return 'unreachable';
      const before = remembered(domain, asset);
      if (before) return before;
      const shared = underWay.get(domain);
      if (shared) return answerOf(await shared, asset);
      if (underWay.size >= LOOKUPS_MAX || closing.signal.aborted) return 'unreachable';
      const started = lookUp(domain).finally(() => underWay.delete(domain));
      underWay.set(domain, started);
      return answerOf(await started, asset);
    },
    close: () => closing.abort(),
  };
}

function answerOf(known: Known | null, asset: Asset): HomeDomainCheck {
  if (known && areNaming(known.currencies, asset)) return 'confirmed';
  return known?.is_complete ? 'not_confirmed' : 'unreachable';
}

/** Labels of letters, digits and hyphens: no port, path, user info, address or dot at the end. */
const HOST_NAME = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

/** Returns the domain in lower case; null for text that is not the name of a public host. */
function hostNameIn(text: string, { exemptions = NO_EXEMPTIONS }: Connecting): string | null {
  const name = text.toLowerCase();
  if (!HOST_NAME.test(name) || /\.[0-9]+$/.test(name)) return null;
  const checked = checkUrl(`https://${name}/`, exemptions);
  return 'url' in checked && checked.url.hostname === name ? name : null;
}

/** @throws Error when there is no readable stellar.toml */
async function readDomain(domain: string, connecting: Connecting, signal: AbortSignal): Promise<Known> {
  const connection = openTomlConnection(domain, connecting, signal);
  try {
    const text = await connection.read('/.well-known/stellar.toml');
    if (text === null) return { currencies: [], is_complete: true };
    const { currencies, links } = readStellarToml(text);
    const paths = links.flatMap((link) => pathOnHost(link, domain));
    const linked = await readLinked(connection, paths.slice(0, LINKS_MAX), signal);
    const is_complete = linked.is_complete && paths.length <= LINKS_MAX;
    return { currencies: [...currencies, ...linked.currencies], is_complete };
  } finally {
    connection.close();
  }
}

/** Reads linked files, one after the other. A file that cannot be read hides its asset only. */
async function readLinked(connection: TomlConnection, paths: string[], signal: AbortSignal): Promise<Known> {
  const linked: Known = { currencies: [], is_complete: true };
  for (const path of paths) {
    try {
      const text = await connection.read(path);
      const currency = text === null ? null : readLinkedCurrency(text);
      if (currency) linked.currencies.push(currency);
    } catch {
      signal.throwIfAborted();
      linked.is_complete = false;
    }
  }
  return linked;
}

/** Returns the path of a link to the same host; no path for any other link, which is not followed. */
function pathOnHost(link: string, domain: string): string[] {
  const url = URL.parse(link);
  return url?.origin === `https://${domain}` ? [url.pathname + url.search] : [];
}
