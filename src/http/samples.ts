/** Examples of the OpenAPI document, made from the schemas: so a new member has one, and none is forgotten. */
import { strict as assert } from 'node:assert';
import type { Schema } from './document-types.ts';
import { resolve } from './named-schemas.ts';

/**
 * Returns functions that make examples by schema. A member without a value of its own gets one from its schema. `values`: by the
 * name of a member or parameter, or `Schema.member` where one schema needs another value.
 */
export function createSamples(schemas: Record<string, Schema>, values: Record<string, unknown>) {
  function sampleOf(schema: Schema, name: string, owner = ''): unknown {
    const key = [`${owner}.${name}`, name].find(
      (each) => each in values && fits(values[each], schema, schemas),
    );
    if (key !== undefined) return values[key];
    const named = schema.$ref?.split('/').at(-1);
    if (named !== undefined) {
      const target = schemas[named];
      assert(target, `${named} is a schema`);
      return sampleOf(target, name, named);
    }
    const [first] = ((schema.anyOf ?? schema.oneOf) as Schema[] | undefined) ?? [];
    if (first) return sampleOf(first, name, owner);
    if ('const' in schema) return schema.const;
    if (schema.enum) return (schema.enum as unknown[])[0];
    return plain(schema, name, owner);
  }

  function plain(schema: Schema, name: string, owner: string): unknown {
    const [type] = [schema.type].flat();
    if (type === 'object') return objectOf(schema, owner || name);
    if (type === 'array') return schema.items ? [sampleOf(schema.items, singular(name), owner)] : [];
    if (type === 'boolean') return true;
    if (type === 'integer' || type === 'number') return leastOf(schema);
    if (schema.format === 'date-time') return '2026-01-15T09:30:00.000Z';
    return schema.format === 'date' ? '2026-01-15' : name.replaceAll('_', ' ');
  }

  function objectOf({ properties = {} }: Schema, owner: string): Record<string, unknown> {
    const members = Object.entries(properties).map(([name, schema]) => [name, sampleOf(schema, name, owner)]);
    return Object.fromEntries(members);
  }

  return {
    ofParameter: ({ name, schema }: { name: string; schema: Schema }) => sampleOf(schema, name, 'parameter'),
    ofBody: (schema: Schema) => sampleOf(schema, ''),
    /** Makes the example of an answer. `differs`: members of `data` with other values. */
    ofAnswer(status: number, schema: Schema, differs: object = {}): unknown {
      const answer = sampleOf(schema, '') as { statusCode?: number; message?: string; data: object };
      const data = { ...answer.data, ...differs };
      return { ...answer, statusCode: status, message: REASONS[status] ?? answer.message, data };
    },
  };
}

/**
 * Returns the minimum, or 1 without one. Returns 0 for an exact minimum, which is marked text here: it is 0 or 1, and members with
 * 1 have a value of their own.
 */
function leastOf({ minimum = 1 }: Schema): number {
  return typeof minimum === 'number' ? minimum : 0;
}

/** Checks a value against the schema: a value of a member's name may be of another kind, like a `status` of something else. */
function fits(value: unknown, schema: Schema, schemas: Record<string, Schema>): boolean {
  if (schema.$ref) return fits(value, resolve(schema, schemas), schemas);
  const choices = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (choices) return choices.some((choice) => fits(value, choice, schemas));
  if ('const' in schema) return value === schema.const;
  if (schema.enum) return (schema.enum as unknown[]).includes(value);
  if (
    typeof value === 'string' &&
    typeof schema.pattern === 'string' &&
    !new RegExp(schema.pattern, 'u').test(value)
  )
    return false;
  if (typeof value === 'number' && typeof schema.minimum === 'number' && value < schema.minimum) return false;
  return schema.type === undefined || [schema.type].flat().includes(typeOf(value));
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' ? 'integer' : typeof value;
}

const REASONS: Record<number, string> = { 200: 'OK', 201: 'Created', 202: 'Accepted' };

function singular(name: string): string {
  return name.replace(/s$/, '');
}
