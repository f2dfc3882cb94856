import { OperatorError } from '../lib/errors.ts';

/** The work that a process can do. A process with all of them is the whole service. */
export const ROLES = ['api', 'settler', 'ingester', 'deliverer'] as const;
export type Role = (typeof ROLES)[number];

/** Reads roles from names that are separated by commas. @throws OperatorError for any other name */
export function readRoles(text: string): ReadonlySet<Role> {
  const roles = text.split(',').map((role) => role.trim());
  const unknown = roles.filter((role) => !ROLES.includes(role as Role));
  if (unknown.length > 0)
    throw new OperatorError(`Unknown role: ${unknown.join(', ')}. The roles are ${ROLES.join(', ')}.`);
  return new Set(roles as Role[]);
}
