/** What the generators of all clients read of an operation: `x-client` of the document, which its route has. */
export type ClientMethod = {
  method: string;
  csv?: string;
  repeatable?: boolean;
  time_limit_seconds?: number;
};

/** Headers that a caller of a client gives. */
export const GIVEN_HEADERS = ['idempotency-key', 'prefer'];
