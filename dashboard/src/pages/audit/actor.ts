/** Pure: who acted, in words. */
import type { AuditEntry } from '../../api/contract.ts';

const KIND_WORDS: Record<AuditEntry['actor']['kind'], string> = {
  user: 'A user',
  service_user: 'Service user',
  api_key: 'API key',
  operator: 'The operator of the service',
  service: 'The service',
  stranger: 'Not signed in',
};

/** `grace@example.com`, or `API key wal_…`. */
export function actorInWords({ kind, id, name }: AuditEntry['actor']): string {
  if (kind === 'user') return name ?? id ?? KIND_WORDS.user;
  const which = name ?? id;
  return which === null ? KIND_WORDS[kind] : `${KIND_WORDS[kind]} ${which}`;
}
