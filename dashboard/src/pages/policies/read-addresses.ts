/** Pure: addresses as they are pasted into a field. */
import { readAddress } from '../../text/strkey.ts';

/** One of each line; the first fault, with its line where there are more. */
export function readAddresses(text: string): { addresses: string[]; problem: string | null } {
  const addresses: string[] = [];
  const lines = text.split('\n').map((line) => line.trim());
  for (const [index, line] of lines.entries()) {
    if (line === '') continue;
    const read = readAddress(line);
    if ('problem' in read) {
      const where = lines.length === 1 ? 'The address' : `The address on line ${index + 1}`;
      return { addresses: [], problem: `${where} ${read.problem}.` };
    }
    addresses.push(line);
  }
  return { addresses, problem: addresses.length === 0 ? 'An address is required.' : null };
}
