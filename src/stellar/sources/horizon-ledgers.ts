import { z } from 'zod';
import { NoAnswer, protocolNumber, UnusableAnswer, xdrBytes } from '../answers/answers.ts';
import { type Header, ledgerHeader } from '../ledgers/ledger-header.ts';
import type { PagedHistory } from '../ledgers/paged-ledgers.ts';
import type { Protocols } from '../stellar.ts';
import type { HorizonClient } from './horizon-client.ts';

const PAGE_LIMIT = 200;

const Ledger = z.object({ sequence: z.int(), header_xdr: z.string() });
const Root = z.object({
  network_passphrase: z.string(),
  horizon_version: z.string().max(100).optional(),
  history_latest_ledger: z.int(),
  history_elder_ledger: z.int(),
  current_protocol_version: protocolNumber,
  supported_protocol_version: protocolNumber,
  core_supported_protocol_version: protocolNumber,
  _links: z.object({ friendbot: z.object({ href: z.string() }).optional() }),
});
const Ledgers = pageOf(Ledger);
const Transactions = pageOf(
  z.object({
    hash: z.string(),
    ledger: z.int(),
    envelope_xdr: z.string(),
    result_xdr: z.string(),
    result_meta_xdr: z.string().nullish(), // an operator may leave it out (SKIP_TXMETA)
    paging_token: z.string().regex(/^\d{1,20}$/), // a TOID: ledger << 32 | order in the ledger
  }),
);

function pageOf<T extends z.ZodType>(record: T) {
  return z.object({ _embedded: z.object({ records: z.array(record) }) });
}

/** Reads the network of the server, and the first and last ledger of its history. */
export function readRoot(client: HorizonClient): Promise<z.output<typeof Root>> {
  return client.get('horizon:root', '/', Root);
}

/** Returns the protocols of a source. It supports what Horizon and its stellar-core both support. */
export function protocolsOf(root: z.output<typeof Root>): Protocols {
  const told = [root.supported_protocol_version, root.core_supported_protocol_version];
  const known = told.filter((version) => version !== null);
  return {
    network: root.current_protocol_version,
    supported: known.length > 0 ? Math.min(...known) : null,
  };
}

/** Reads the newest ledger of the history. The stellar-core behind Horizon may be ahead of it. */
export async function newestHeader(client: HorizonClient): Promise<Header> {
  const [newest] = await ledgers(client, { order: 'desc', limit: 1 });
  if (!newest) throw new NoAnswer('horizon:ledgers: no history');
  return newest;
}

async function ledgers(client: HorizonClient, query: Record<string, string | number>): Promise<Header[]> {
  const { _embedded } = await client.get('horizon:ledgers', '/ledgers', Ledgers, query);
  return _embedded.records.map(({ sequence, header_xdr }) =>
    ledgerHeader('horizon:ledgers', sequence, xdrBytes('horizon:ledgers', header_xdr)),
  );
}

export async function headerAt(client: HorizonClient, sequence: number): Promise<Header> {
  const ledger = await client.get('horizon:ledger', `/ledgers/${sequence}`, Ledger);
  if (ledger.sequence !== sequence) throw new UnusableAnswer('horizon:ledger', `not ledger ${sequence}`);
  return ledgerHeader('horizon:ledger', sequence, xdrBytes('horizon:ledger', ledger.header_xdr));
}

/** Reads Horizon's headers and pages of transactions. */
export function horizonHistory(client: HorizonClient): PagedHistory {
  return {
    names: { headers: 'horizon:ledgers', page: 'horizon:transactions' },
    newest: () => newestHeader(client),
    async headers(first, count) {
      const headers = await ledgers(client, { order: 'asc', limit: count, cursor: toid(first - 1) });
      if (headers[0]?.sequence === first) return headers;
      // A cursor before the history gives the oldest ledgers that Horizon has.
      const { history_elder_ledger } = await readRoot(client);
      return history_elder_ledger > first ? { oldest_ledger: history_elder_ledger } : headers;
    },
    async page(from) {
      const cursor = 'ledger' in from ? toid(from.ledger) : from.cursor;
      const query = { order: 'asc', limit: PAGE_LIMIT, include_failed: true, cursor };
      const { _embedded } = await client.get('horizon:transactions', '/transactions', Transactions, query);
      const { records } = _embedded;
      return {
        cursor: records.at(-1)?.paging_token ?? cursor,
        transactions: records.map(({ hash, ledger, envelope_xdr, result_xdr, result_meta_xdr }) => ({
          hash,
          ledger,
          envelope: xdrBytes('horizon:transactions', envelope_xdr),
          result: xdrBytes('horizon:transactions', result_xdr),
          meta: result_meta_xdr ? xdrBytes('horizon:transactions', result_meta_xdr) : null,
        })),
      };
    },
  };
}

/** Returns the cursor of a ledger: after all transactions of earlier ledgers, before its own first transaction. */
function toid(ledger: number): string {
  return `${BigInt(ledger) << 32n}`;
}
