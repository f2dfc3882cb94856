import { isActive } from './activity.ts';
import { ApiError } from './client.ts';

/** What `path` gives as CSV, as a file. The byte order mark tells Excel that it is UTF-8. `what`: for messages. @throws ApiError */
export async function csvFile(path: string, what: string): Promise<Blob> {
  const headers = { accept: 'text/csv', 'Teller-Browser': isActive() ? 'active' : 'idle' };
  const response = await fetch(path, { headers }).catch(() => null);
  if (response?.ok) return new Blob(['\uFEFF', await response.blob()], { type: 'text/csv;charset=utf-8' });
  const message = response ? `${what} could not be read.` : 'The service cannot be reached.';
  throw new ApiError({
    status: response?.status ?? 0,
    message,
    code: response ? 'unreadable' : 'unreachable',
  });
}
