/**
 * Reads a ledger of Stellar RPC by parts, because an arm of a later protocol stands in it: nobody can see where a value of
 * an unknown form ends. The header is apart in getLedgers; envelope, result and meta of each transaction are in
 * getTransactions. The proof is the same, and needs more where the arm is in a result (transaction-set.ts).
 */
import { z } from 'zod';
import { UnusableAnswer, xdrBytes } from '../answers/answers.ts';
import { type Header, historyHeader } from '../ledgers/ledger-header.ts';
import type { WholeLedger } from '../ledgers/ledger-range.ts';
import { type PagedHistory, readWhole } from '../ledgers/paged-ledgers.ts';
import { doubtsOf, transactionSet } from '../ledgers/transaction-set.ts';
import { metIn } from '../ledgers/unknown-arms.ts';
import type { UnknownArm } from '../ledgers/xdr-parts.ts';
import type { LedgerTransaction } from '../stellar.ts';
import type { RpcClient } from './rpc-client.ts';

const METHOD = 'getTransactions';
/** The limit of getTransactions. */
const PAGE_LIMIT = 200;

const Transactions = z.object({
  transactions: z.array(
    z.object({
      txHash: z.string(),
      ledger: z.int(),
      envelopeXdr: z.string(),
      resultXdr: z.string(),
      resultMetaXdr: z.string().optional(),
    }),
  ),
  cursor: z.string().regex(/^\d{1,20}$/), // a TOID: ledger << 32 | order in the ledger
});

/** Reads a ledger by parts. `arm`: what stands in the way of reading the ledger at once. @throws NoAnswer */
export async function readByParts(
  { client, passphrase, arm }: { client: RpcClient; passphrase: string; arm: UnknownArm },
  { sequence, headerXdr, metadataXdr }: { sequence: number; headerXdr: string; metadataXdr: string },
): Promise<WholeLedger> {
  const entry = xdrBytes('getLedgers', headerXdr);
  const header = historyHeader('getLedgers', sequence, entry);
  const close_meta = xdrBytes('getLedgers', metadataXdr);
  const prove = (_: Header, transactions: LedgerTransaction[]) =>
    withBorders(passphrase, { header, entry, close_meta }, transactions);
  const [ledger] = await readWhole({ names: NAMES, page: pagesOf(client) }, passphrase, [header], prove);
  if (!ledger) throw new UnusableAnswer(METHOD, `ledger ${sequence} is not whole`);
  return { ...ledger, unknown: [metIn(header, arm), ...(ledger.unknown ?? [])] };
}

const NAMES = { headers: 'getLedgers', page: METHOD };

function pagesOf(client: RpcClient): PagedHistory['page'] {
  return async (from) => {
    const pagination = { limit: PAGE_LIMIT, ...('cursor' in from && { cursor: from.cursor }) };
    const params = { ...('ledger' in from && { startLedger: from.ledger }), pagination };
    const { transactions, cursor } = await client.call(METHOD, params, Transactions);
    return {
      cursor,
      transactions: transactions.map(({ txHash, ledger, envelopeXdr, resultXdr, resultMetaXdr }) => ({
        hash: txHash,
        ledger,
        envelope: xdrBytes(METHOD, envelopeXdr),
        result: xdrBytes(METHOD, resultXdr),
        meta: resultMetaXdr ? xdrBytes(METHOD, resultMetaXdr) : null,
      })),
    };
  };
}

type Shown = { header: Header; entry: Buffer; close_meta: Buffer };

/** Proves the borders of results. In a LedgerCloseMeta of any version the transaction set follows the header. */
function withBorders(
  passphrase: string,
  { header, entry, close_meta }: Shown,
  transactions: LedgerTransaction[],
): LedgerTransaction[] | { unproven: string } {
  const at = close_meta.indexOf(entry);
  const set = at < 0 ? null : transactionSet(header, close_meta.subarray(at + entry.length), transactions);
  if (!set) return { unproven: 'the transaction set does not show these transactions' };
  const isDoubtful = doubtsOf(passphrase, set, transactions);
  return transactions.map((each) => ({ ...each, isDoubtful: () => isDoubtful(each) }));
}
