/**
 * Reads ledgers from Stellar RPC with getLedgers, whose answer has header, transactions, results and metas, and so its
 * own proof. getTransactions has no headers: it is asked only for a ledger with an arm of a later protocol
 * (rpc-ledger-parts.ts).
 */
import { z } from 'zod';
import { decoding, NoAnswer, UnusableAnswer, xdrBytes } from '../answers/answers.ts';
import type { Newest, Source } from '../answers/source.ts';
import { readLedgerCloseMeta } from '../ledgers/ledger-close-meta.ts';
import { isWhole } from '../ledgers/ledger-proof.ts';
import { nothingAfter, rangeOf, unknownIn, type WholeLedger } from '../ledgers/ledger-range.ts';
import { UnknownArm } from '../ledgers/xdr-parts.ts';
import { type RpcClient, RpcError } from './rpc-client.ts';
import { Range, type RpcHistory, spanOf } from './rpc-history.ts';
import { readByParts } from './rpc-ledger-parts.ts';

const Ledgers = Range.extend({
  ledgers: z.array(
    z.object({ sequence: z.int(), headerXdr: z.string().optional(), metadataXdr: z.string() }),
  ),
});

/** Target size of one answer: about six ledgers of the public network. */
const PAGE_BYTES = 8 * 1024 * 1024;
const MAX_LEDGERS = 100;
const FIRST_LEDGERS = 5;

/** Creates a reader of ledgers from this server. The size of the ledgers decides how many are read at once. */
export function createRpcLedgers(
  client: RpcClient,
  history: RpcHistory,
  passphrase: string,
): Source['readLedgersAfter'] {
  let limit = FIRST_LEDGERS;
  let newest: Newest | null = null;

  async function ask(first: number): Promise<z.output<typeof Ledgers>> {
    try {
      const params = { startLedger: first, pagination: { limit } };
      const answer = await client.call('getLedgers', params, Ledgers);
      limit = nextLimit(limit, answer.ledgers);
      return answer;
    } catch (error) {
      // The answer may be too long, too slow, or above the server's limit: ask for fewer ledgers next time.
      if (error instanceof NoAnswer) limit = Math.ceil(limit / 2);
      throw error;
    }
  }

  return async (after_ledger, after_hash) => {
    if (newest === null || newest.sequence <= after_ledger) {
      // A small request, for the usual "no".
      newest = (await history.span()).newest;
      if (newest.sequence <= after_ledger) return { range: nothingAfter(after_ledger, newest), newest };
    }
    try {
      const { ledgers, ...range } = await ask(after_ledger + 1);
      const { oldest_ledger, newest: last } = spanOf(range);
      newest = last;
      // A server whose history begins later may answer with later ledgers than the one asked for. A server that has
      // older ledgers in an archive names the history of its database all the same.
      const isOther = ledgers[0]?.sequence !== after_ledger + 1;
      if (isOther && oldest_ledger > after_ledger + 1)
        return { range: { read: 'gap', oldest_ledger }, newest };
      const from = { method: 'getLedgers', after_ledger, after_hash };
      const proven = await provenOf({ client, passphrase }, ledgers);
      return { range: rangeOf(from, proven, last), newest, ...unknownIn(proven) };
    } catch (error) {
      newest = null;
      if (!(error instanceof RpcError)) throw error;
      // The history begins later, or the network was reset.
      const { oldest_ledger, newest: last } = await history.span();
      newest = last;
      if (last.sequence <= after_ledger) return { range: nothingAfter(after_ledger, last), newest };
      if (oldest_ledger > after_ledger + 1) return { range: { read: 'gap', oldest_ledger }, newest };
      throw error;
    }
  };
}

/** Returns how many ledgers fit into PAGE_BYTES; at most twice the last limit, because a long answer may time out. */
function nextLimit(limit: number, ledgers: { metadataXdr: string }[]): number {
  const bytes = ledgers.reduce((sum, { metadataXdr }) => sum + metadataXdr.length, 0);
  const fitting = Math.floor((PAGE_BYTES * ledgers.length) / Math.max(bytes, 1));
  return Math.min(Math.max(fitting, 1), limit * 2, MAX_LEDGERS);
}

type Server = { client: RpcClient; passphrase: string };

/** Returns the ledgers before the first one without proof. @throws NoAnswer when the first one has no proof. */
async function provenOf(
  server: Server,
  ledgers: z.output<typeof Ledgers>['ledgers'],
): Promise<WholeLedger[]> {
  const whole: WholeLedger[] = [];
  for (const ledger of ledgers) {
    try {
      whole.push(await provenOrByParts(server, ledger));
    } catch (error) {
      // The next call begins with this ledger, and then throws.
      if (whole.length > 0 && error instanceof NoAnswer) break;
      throw error;
    }
  }
  return whole;
}

async function provenOrByParts(
  { client, passphrase }: Server,
  { sequence, headerXdr, metadataXdr }: z.output<typeof Ledgers>['ledgers'][number],
): Promise<WholeLedger> {
  try {
    return proven(passphrase, sequence, metadataXdr);
  } catch (error) {
    const arm = error instanceof UnusableAnswer ? error.cause : null;
    if (!(arm instanceof UnknownArm) || headerXdr === undefined) throw error;
    return readByParts({ client, passphrase, arm }, { sequence, headerXdr, metadataXdr });
  }
}

function proven(passphrase: string, sequence: number, meta_xdr: string): WholeLedger {
  const method = 'getLedgers';
  const bytes = xdrBytes(method, meta_xdr);
  const ledger = decoding(method, () => readLedgerCloseMeta({ method, passphrase, sequence }, bytes));
  if (!isWhole(ledger.header, ledger.transactions))
    throw new UnusableAnswer(method, `ledger ${sequence} is not whole`);
  return ledger;
}
