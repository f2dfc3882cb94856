/** Pure: what a change of access does, in words. */
import type { AccessChange } from '../api/contract.ts';

const TITLES: Record<AccessChange['operation'], string> = {
  addMember: 'Add a member',
  changeMember: 'Change the rights of a member',
  createInvitation: 'Invite to the team',
  createServiceUser: 'Make a service user',
  changeServiceUser: 'Change a service user',
  addServiceUserSecret: 'Give a service user another secret',
  createApiKey: 'Make an API key',
  regenerateApiKey: 'Regenerate the main API key',
  createPayee: 'Add a payee',
  changePayee: 'Rename a payee',
};

/** An entry of the audit log may have the operation of a later version of the service. */
export function accessChangeTitle({ operation }: { operation: string }): string {
  return Object.hasOwn(TITLES, operation) ? TITLES[operation as AccessChange['operation']] : operation;
}
