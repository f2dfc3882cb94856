/** Pure: refusals of the team's operations in words. */
import { ApiError } from '../../api/client.ts';
import { readableMessage } from '../../text/api-message.ts';

const WORDS: Record<string, string> = {
  last_owner: 'The team must have an owner, and this is the last one. Make another member an owner first.',
  role_missing: 'Your role does not allow this. Only an owner manages owners.',
  not_found: 'This user is no longer a member of the team.',
};

export function memberErrorWords(error: Error): string {
  const known = error instanceof ApiError ? WORDS[error.code] : undefined;
  return known ?? readableMessage(error.message);
}
