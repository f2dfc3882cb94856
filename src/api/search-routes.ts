/** The search over the wallets of a team. It finds rows of several slices, so it stands above them. */
import { z } from 'zod';
import type { Db } from '../db/database.ts';
import { FOUND_KINDS, type Found, searchWallets } from '../db/search-wallets.ts';
import type { Deps } from '../deps.ts';
import { envelope, envelopeSchema, pageSchema } from '../http/envelope.ts';
import type { HttpApp } from '../http/http-app.ts';
import { Id, Search, StroopsOrZero, Time } from '../http/schemas.ts';
import { searchesOfPayees } from '../payees/payee-store.ts';
import { searchesOfWallets } from '../wallets/search-team.ts';
import { walletsToSearch } from '../wallets/store.ts';
import { searchesOfWebhooks, subjectOfEvent } from '../webhooks/store/search-webhooks.ts';
import { searchesOfPayouts } from '../withdrawals/payouts/payout-store.ts';

const FoundResource = z
  .object({
    kind: z.enum(FOUND_KINDS).meta({ description: 'What it is; a later version may find more' }),
    id: z.string().meta({ description: 'As in the paths of the API; `CODE:ISSUER` of an asset' }),
    wallet_id: Id.nullable().meta({
      description: 'The wallet that has it, or the wallet itself; null for a payee, which is of the team',
    }),
    webhook_id: Id.nullable().meta({ description: 'The endpoint of a delivery; null for the others' }),
    name: z
      .string()
      .nullable()
      .meta({
        description:
          'Name of a wallet, payee or payout; label of an address, or of the address that a deposit paid; reference of a withdrawal; ' +
          'URL of an endpoint; type of the event that a delivery sends',
      }),
    asset_code: z.string().nullable(),
    asset_issuer: z.string().nullable(),
    amount_stroops: StroopsOrZero.nullable(),
    counterparty: z.string().nullable().meta({
      description: 'As in the list of transactions; the destination of a payee',
    }),
    created_at: Time.nullable().meta({ description: 'Null for an address and an asset' }),
  })
  .meta({ id: 'SearchResult', description: 'What a search has found. What its kind does not have is null.' });

const SearchQuery = z.strictObject({
  search: Search.meta({
    description:
      'The beginning of an id, hash, account, address, memo or reference, or the code of an asset; part of a name, label, ' +
      'metadata or URL; an exact amount in units (`16.43`); or a whole Idempotency-Key, or id of a delivery or event',
  }),
});

export function searchRoutes(app: HttpApp, deps: Deps): void {
  app.get(
    '/v1/search',
    {
      config: {
        access: 'login',
        roles: 'everyone',
        errors: ['too_many_waiting', 'search_timed_out'],
        client: 'wallets.search',
      },
      schema: {
        operationId: 'searchWallets',
        tags: ['wallets'],
        summary: 'Search wallets',
        description:
          'Finds what has this text: payees of the team, and what is in the wallets that the member may use. At most five of each ' +
          'kind, the newest of those that it has read. Lists with `search` find all of one wallet. The id of an event finds what the event tells of, too.',
        querystring: SearchQuery,
        response: { 200: envelopeSchema(pageSchema(FoundResource)) },
      },
    },
    async (request, reply) => {
      const { member } = request.login;
      const items = await deps.search(request.credential, async (db) => {
        const found = await searchText(db, member, request.query.search);
        const subject = await subjectOfEvent(db, member, request.query.search);
        return subject === null ? found : [...found, ...(await searchText(db, member, subject.id))];
      });
      return reply.code(200).send(envelope(200, { items: items.map(showFound), next_cursor: null }));
    },
  );
}

type Member = { team_id: string; wallet_ids: string[] | null };

function searchText(db: Db, member: Member, text: string): Promise<Found[]> {
  return searchWallets(db, walletsToSearch(member), [
    ...searchesOfPayees(member.team_id, text),
    ...searchesOfWallets(member.team_id, text),
    ...searchesOfPayouts(text),
    ...searchesOfWebhooks(text),
  ]);
}

function showFound({ created_at, ...found }: Found): z.input<typeof FoundResource> {
  return { ...found, created_at: created_at?.toISOString() ?? null };
}
