/** Pure: why an invitation was not accepted, in words, and at which field. */
import { ApiError } from '../../api/client.ts';
import { readableMessage } from '../../text/api-message.ts';

export type Fault = { field: 'name' | 'password' | null; words: string };

export function faultOf(error: Error): Fault {
  if (!(error instanceof ApiError)) return { field: null, words: error.message };
  if (error.code === 'wrong_credentials')
    return {
      field: 'password',
      words:
        'No user with the invited e-mail has this password. Without one, choose “I am new on this service”.',
    };
  const name = error.fieldMessage('name');
  if (name !== null) return { field: 'name', words: `The name ${name}.` };
  const password = error.fieldMessage('password');
  if (password !== null) return { field: 'password', words: `The password ${password}.` };
  return { field: null, words: readableMessage(error.message) };
}
