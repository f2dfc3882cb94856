/** Whether /openapi.json says of each error that a test gets: its operation lists the code, with the status. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Examples = { examples?: Record<string, unknown> };
type Response = { $ref?: string; content?: Record<string, Examples & { schema: { anyOf?: unknown[] } }> };
type Operation = { operationId: string; responses: Record<string, Response> };
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Response> };
};

let read: Document | undefined;

/** @throws AssertionError for a code that the operation does not declare. Paths without an operation are let be. */
export function assertDeclared(method: string, path: string, status: number, code: string): void {
  const file = join(import.meta.dirname, '..', '..', 'docs', 'openapi.json');
  read ??= JSON.parse(readFileSync(file, 'utf8')) as Document;
  const operation = findOperation(read, method, path.split('?')[0] ?? '');
  if (!operation || code === 'method_not_allowed') return;
  const declared = operation.responses[status];
  const response = declared?.$ref
    ? read.components.responses[declared.$ref.split('/').at(-1) ?? '']
    : declared;
  const codes = JSON.stringify(response?.content ?? {});
  assert.ok(
    codes.includes(`"${code}"`),
    `${operation.operationId} answers ${status} ${code}: add the code to the errors of its route`,
  );
}

/** A path that is written out is found before one with a parameter in its place. */
function findOperation({ paths }: Document, method: string, path: string): Operation | undefined {
  const given = path.split('/');
  const found = Object.keys(paths)
    .filter((template) => matches(template.split('/'), given))
    .sort((a, b) => a.split('{').length - b.split('{').length)
    .find((template) => paths[template]?.[method.toLowerCase()]);
  return found === undefined ? undefined : paths[found]?.[method.toLowerCase()];
}

function matches(template: string[], given: string[]): boolean {
  return (
    template.length === given.length &&
    template.every((part, index) => part.startsWith('{') || part === given[index])
  );
}
