/**
 * The contract of the API, as the TypeScript client has it. The path is that of its sources: no build of the client comes
 * before that of the dashboard.
 */
export type * from '../../../clients/typescript/src/contract.ts';
export { OPERATIONS } from '../../../clients/typescript/src/contract.ts';
