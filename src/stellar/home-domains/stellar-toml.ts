/** Pure: what the stellar.toml of a domain says of assets (SEP-1 2.7.0). The file is written by anybody, and may be hostile. */
import { parse } from 'smol-toml';
import { isAssetCode, isIssuer } from '../asset.ts';
import type { Asset } from '../stellar.ts';

const MAX_NESTING = 16;
const TEMPLATE = /^[A-Za-z0-9?]{1,12}$/;
/** Words of SEP-1 for an asset that nobody should take for money. */
const NOT_LIVE = new Set(['dead', 'test']);

/** An entry of `[[CURRENCIES]]`. `code`: with `?` for any one character when the entry has a `code_template`. */
export type Currency = { code: string; issuer: string; is_live: boolean };

/** `links`: URLs of files that have one entry each, as they are written. */
export type StellarToml = { currencies: Currency[]; links: string[] };

/** Leaves out entries that are no asset, like one whose issuer is not a valid address. @throws Error for text that is not TOML */
export function readStellarToml(text: string): StellarToml {
  const entries = readToml(text).CURRENCIES;
  const tables: unknown[] = Array.isArray(entries) ? entries : [];
  const found: StellarToml = { currencies: [], links: [] };
  for (const table of tables) {
    if (!isTable(table)) continue;
    const currency = currencyIn(table);
    if (currency) found.currencies.push(currency);
    else if (typeof table.toml === 'string') found.links.push(table.toml);
  }
  return found;
}

/** Reads the one entry of a file that a stellar.toml links to; null when it is no asset. @throws Error for text that is not TOML */
export function readLinkedCurrency(text: string): Currency | null {
  return currencyIn(readToml(text));
}

/** Returns true when an entry names the asset by code and issuer, and no entry that names it says that it is not live. */
export function areNaming(currencies: readonly Currency[], asset: Asset): boolean {
  const naming = currencies.filter(
    ({ code, issuer }) => issuer === asset.issuer && matches(code, asset.code),
  );
  return naming.length > 0 && naming.every(({ is_live }) => is_live);
}

function matches(template: string, code: string): boolean {
  return (
    template.length === code.length &&
    [...template].every((character, at) => character === '?' || character === code[at])
  );
}

type Table = Record<string, unknown>;

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null;
}

/** Integers as bigint: the parser would refuse a file with one beyond 2^53. */
function readToml(text: string): Table {
  return parse(text, { maxDepth: MAX_NESTING, integersAsBigInt: true });
}

function currencyIn({ code, code_template, issuer, status }: Table): Currency | null {
  if (typeof issuer !== 'string' || !isIssuer(issuer)) return null;
  const is_live = !(typeof status === 'string' && NOT_LIVE.has(status.trim().toLowerCase()));
  if (typeof code === 'string' && isAssetCode(code)) return { code, issuer, is_live };
  if (typeof code_template === 'string' && TEMPLATE.test(code_template))
    return { code: code_template, issuer, is_live };
  return null;
}
