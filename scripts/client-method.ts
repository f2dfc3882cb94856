/** What the generators of all clients read of an operation: `x-client` of the document, which its route has. */
export type ClientMethod = {
  method: string;
  csv?: string;
  repeatable?: boolean;
  time_limit_seconds?: number;
};

/** Headers that a caller of a client gives. */
export const GIVEN_HEADERS = ['idempotency-key', 'prefer'];

/** Says whether the operation makes something, once for an Idempotency-Key that a caller may give. */
export function mayHaveKey({
  parameters = [],
}: {
  parameters?: { name: string; required?: boolean }[];
}): boolean {
  return parameters.some(({ name, required }) => name === 'idempotency-key' && !required);
}
