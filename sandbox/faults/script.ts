import { z } from 'zod';
import { MAX_LAG_LEDGERS } from '../network.ts';
import { RPC_VERSIONS } from '../rpc/versions.ts';
import { REQUEST_KINDS } from './request-kind.ts';

export const nodeName = z.string().regex(/^[a-z0-9-]{1,32}$/, 'must be 1 to 32 of a-z, 0-9 and "-"');
export const lagLedgers = z.int().min(0).max(MAX_LAG_LEDGERS);
export const ledgerSequence = z.int().min(1).max(0xffffffff);
export const rpcVersion = z.enum(RPC_VERSIONS);

const common = {
  /** The requests that the fault affects. */
  on: z.enum(['*', ...REQUEST_KINDS]),
  /** How often the fault happens; null = until it is removed. */
  times: z.int().min(1).nullable().default(1),
  /** Matching requests that pass before the fault happens. */
  skip: z.int().min(0).default(0),
  /** Probability that a matching request is affected, drawn from the seeded generator. */
  probability: z.number().gt(0).max(1).default(1),
  /** The only node where the fault happens; null = all nodes. */
  node: nodeName.nullable().default(null),
};

const neverOrBefore = z.enum(['never', 'before']).default('never');

const kinds = [
  z.strictObject({ ...common, kind: z.literal('no_answer'), effect: neverOrBefore }),
  z.strictObject({ ...common, kind: z.literal('answer_lost') }),
  z.strictObject({
    ...common,
    kind: z.literal('delay'),
    delay_ms: z.int().min(1).max(3_600_000),
    effect: z.enum(['before', 'after']).default('after'),
  }),
  z.strictObject({
    ...common,
    kind: z.literal('status'),
    status: z.literal([429, 500, 502, 503, 504]),
    effect: neverOrBefore,
    retry_after_seconds: z.int().min(0).default(1),
  }),
  z.strictObject({
    ...common,
    kind: z.literal('truncated'),
    content_length: z.enum(['full', 'half']).default('full'),
  }),
  z.strictObject({ ...common, kind: z.literal('try_again_later'), taken: z.boolean().default(false) }),
  z.strictObject({ ...common, kind: z.literal('rpc_error'), code: z.int(), message: z.string() }),
  z.strictObject({ ...common, kind: z.literal('core_busy'), requests: z.int().min(1).default(1) }),
  z.strictObject({ ...common, kind: z.literal('filtered') }),
  z.strictObject({ ...common, kind: z.literal('stale'), lag_ledgers: lagLedgers.min(1) }),
  z
    .strictObject({
      ...common,
      kind: z.literal('pruned'),
      oldest_ledger: ledgerSequence.nullable().default(null),
      last_ledgers: ledgerSequence.nullable().default(null),
    })
    .refine(({ oldest_ledger, last_ledgers }) => (oldest_ledger === null) !== (last_ledgers === null), {
      path: ['oldest_ledger'],
      error: 'give either oldest_ledger or last_ledgers',
    }),
  z.strictObject({ ...common, kind: z.literal('duplicate_page') }),
  z.strictObject({ ...common, kind: z.literal('empty_page') }),
  z.strictObject({ ...common, kind: z.literal('lost_page') }),
  z.strictObject({ ...common, kind: z.literal('stalled_stream') }),
  z.strictObject({
    ...common,
    kind: z.literal('stream_cut'),
    after_records: z.int().min(0).default(0),
  }),
  z.strictObject({
    ...common,
    kind: z.literal('wrong_network'),
    passphrase: z.string().min(1).default('Public Global Stellar Network ; September 2015'),
  }),
  z.strictObject({ ...common, kind: z.literal('rpc_like'), version: rpcVersion }),
] as const;

const KIND_NAMES = kinds.map(({ shape }) => shape.kind.value);

const fault = z.discriminatedUnion('kind', kinds, {
  error: ({ code }) => (code === 'invalid_union' ? `must be one of ${KIND_NAMES.join(', ')}` : undefined),
});

export const scriptSchema = z.strictObject({ seed: z.int().optional(), faults: z.array(fault).min(1) });

/** A fault as a script writes it: fields with a default may be absent. */
export type FaultInput = z.input<typeof fault>;
export type Fault = z.output<typeof fault>;

export type ScriptInput = { seed?: number; faults: FaultInput[] };

/** A script that is wrong. Nothing of it has been applied. */
export class BadScript extends Error {
  readonly errors: { field: string; message: string }[];

  constructor(errors: { field: string; message: string }[]) {
    super(errors.map(({ field, message }) => `${field}: ${message}`).join('; '));
    this.errors = errors;
  }
}

/** @throws BadScript naming every field that is wrong */
export function parsed<T>(schema: z.ZodType<T>, input: unknown): T {
  const { success, data, error } = schema.safeParse(input);
  if (success) return data;
  throw new BadScript(
    error.issues.map(({ path, message, ...issue }) => {
      const unknown = issue.code === 'unrecognized_keys' ? issue.keys : [];
      return { field: [...path, ...unknown].join('.') || 'body', message };
    }),
  );
}
