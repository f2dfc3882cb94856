import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { envelope, envelopeSchema, pageSchema } from '../http/envelope.ts';
import type { HttpApp } from '../http/http-app.ts';
import { sampleId } from '../http/sample-values.ts';
import {
  encodeCursor,
  Id,
  Instant,
  integerInQuery,
  ListQuery,
  pageOf,
  requireSpan,
} from '../http/schemas.ts';
import { AppError } from '../lib/errors.ts';
import { csvOf } from './audit-csv.ts';
import { ActionName, AuditEntryResource, showEntry } from './audit-schema.ts';
import { listEntries } from './audit-store.ts';

/** As large as an integer in a query may be. */
const SEQ_MAX = 10 ** 15 - 1;

const AuditQuery = ListQuery.extend({
  action: ActionName.optional(),
  seq: integerInQuery(1, SEQ_MAX).optional().meta({ description: 'Only the entry with this number' }),
  actor_id: Id.optional(),
  target_id: Id.optional(),
  wallet_id: Id.optional(),
  since: Instant.optional().meta({ description: 'Entries from this time on' }),
  until: Instant.optional().meta({ description: 'Entries before this time' }),
  format: z
    .enum(['json', 'csv'])
    .default('json')
    .meta({ description: '`csv`: every entry as comma-separated values, without pages' }),
});

export function auditRoutes(app: HttpApp, deps: Deps): void {
  app.get(
    '/v1/audit',
    {
      config: {
        access: 'login',
        roles: 'auditors',
        errors: [],
        client: { method: 'audit.list', csv: 'audit.csv' },
        examples: { csv: `seq,id,at\r\n1,${sampleId('aud')},2026-01-15T09:30:00.000Z\r\n` },
      },
      schema: {
        operationId: 'listAuditEntries',
        tags: ['team'],
        summary: 'Read audit log',
        description:
          'Who changed what, when and from where, newest first: every change of a person, a program or the operator, every ' +
          'login, and what was refused. A member who is limited to some wallets sees the entries of these.',
        querystring: AuditQuery,
        response: { 200: envelopeSchema(pageSchema(AuditEntryResource)) },
      },
    },
    async (request, reply) => {
      const { limit, cursor, format, ...given } = request.query;
      requireSpan(given);
      const { team_id, wallet_ids } = request.login.member;
      const list = (page: { limit: number; before_seq: bigint | undefined }) =>
        deps.readInTurn(team_id, (db) => listEntries(db, team_id, { ...given, wallet_ids }, page));
      if (format === 'csv') {
        reply.header('content-disposition', 'attachment; filename="audit.csv"');
        reply.type('text/csv; charset=utf-8');
        return reply.send(Readable.from(csvOf(list)) as never);
      }
      const rows = await list({ limit: limit + 1, before_seq: seqOf(cursor) });
      const page = pageOf(rows, limit, ({ seq }) => `${seq}`, showEntry);
      return reply.code(200).send(envelope(200, page));
    },
  );
}

/** @throws AppError `invalid_request` for a cursor that is not of this list */
function seqOf(cursor: string | undefined): bigint | undefined {
  if (cursor === undefined) return undefined;
  const text = Buffer.from(cursor, 'base64url').toString();
  if (/^[1-9][0-9]{0,17}$/.test(text) && encodeCursor(text) === cursor) return BigInt(text);
  throw new AppError('invalid_request', 'The cursor does not come from this list.', {
    details: [{ path: 'cursor', message: 'is not a cursor of this list' }],
  });
}
