import { DESCRIPTION, INTRODUCTION } from './describe.ts';

/** /llms.txt: where a program that reads text finds the contract, and what to know before it uses the contract. */
export const LLMS = `# ${DESCRIPTION.info.title}

> A wallet payments service for the Stellar network that its operator runs: deposits, withdrawals and signed webhooks.

${INTRODUCTION}- **A payment is made once for an \`Idempotency-Key\`.** After a lost answer send the same request with the same key, never with a new one.
- **Webhooks are signed** by Standard Webhooks. Verify the bytes of the body as they came, and credit each \`webhook-id\` once.

## Contract

- [OpenAPI document](/openapi.json): every operation with its fields, status codes, error codes, roles and examples, and every event
- [Reference with guides](/docs/): first deposit, verifying webhooks, withdrawing from a backend, idempotency, payouts, going live

## Operations by tag

${DESCRIPTION.tags.map(({ name, description }) => `- ${name}: ${description}`).join('\n')}
`;
