/** Pure: reads pasted addresses. */
import { readAddress } from '../../text/strkey.ts';

/** One address on each line. `problem`: the first one, with its line if there are several. */
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
