import type { Schema } from './document-types.ts';

/**
 * Copies the schemas, and adds a description to each member that has none and is no reference: `words` by `Schema.member` or
 * `Schema.member.member`, else by the name of the member.
 */
export function describeMembers(
  schemas: Record<string, Schema>,
  words: Record<string, string>,
): Record<string, Schema> {
  const described = structuredClone(schemas);
  for (const [name, schema] of Object.entries(described)) describeIn(schema, name, words);
  return described;
}

function describeIn(node: unknown, path: string, words: Record<string, string>): void {
  if (typeof node !== 'object' || node === null) return;
  const { properties = {}, ...rest } = node as Schema;
  for (const [member, schema] of Object.entries(properties)) {
    const at = `${path}.${member}`;
    const description = words[at] ?? words[member];
    if (schema.$ref === undefined && description !== undefined) schema.description ??= description;
    describeIn(schema, at, words);
  }
  for (const part of Object.values(rest)) describeIn(part, path, words);
}
