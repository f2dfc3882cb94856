/** Pure: why an invitation was not accepted, in words, and at which field. */
import { ApiError } from '../../api/client.ts';
import { readableMessage } from '../../text/api-message.ts';

export type Fault = { field: 'name' | 'password' | null; words: string };

/** `isNew`: the reader has said that they have no password yet. */
export function faultOf(error: Error, isNew: boolean): Fault {
  if (!(error instanceof ApiError)) return { field: null, words: error.message };
  if (error.code === 'wrong_credentials')
    return {
      field: 'password',
      words: isNew
        ? 'There is a user with the invited e-mail already. Give the password of that user.'
        : 'The password is wrong.',
    };
  const name = error.fieldMessage('name');
  if (name !== null && !isNew)
    return { field: null, words: 'There is no user with the invited e-mail yet. Choose “I am new”.' };
  if (name !== null) return { field: 'name', words: `The name ${name}.` };
  const password = error.fieldMessage('password');
  if (password !== null) return { field: 'password', words: `The password ${password}.` };
  return { field: null, words: readableMessage(error.message) };
}
