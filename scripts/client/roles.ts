/** The roles that each operation needs, for the dashboard, which shows nobody what they may not do. */
import { operations } from './document.ts';

export function rolesText(): string {
  const rows = operations.flatMap(({ operation: { operationId, 'x-roles': roles } }) =>
    roles ? [`  ${operationId}: ${JSON.stringify(roles)},`] : [],
  );
  return `import type { OperationId, Role } from './contract.ts';

/** Roles that may call each operation, of those that need a login. */
export const ROLES_OF = {
${rows.join('\n')}
} as const satisfies Partial<Record<OperationId, readonly Role[]>>;
`;
}
