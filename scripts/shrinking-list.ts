/**
 * Lists of what a rule refuses and the code still has. New code must keep the rule at once; old code leaves the list piece by
 * piece. A list only shrinks: an entry that keeps the rule now must be deleted, or the fault could come back unseen.
 */

/** A fault: the entry of the list that would allow it, and the message without that entry. */
export type Fault = { entry: string; message: string };

/** Returns the messages of faults whose entry is not in the list, and one for each entry of the list without a fault. */
export function compareWithList(faults: Fault[], list: string[], place: string): string[] {
  const faulty = new Set(faults.map(({ entry }) => entry));
  return [
    ...faults.filter(({ entry }) => !list.includes(entry)).map(({ message }) => message),
    ...list
      .filter((entry) => !faulty.has(entry))
      .map((entry) => `${entry}: keeps the rule now; delete it from ${place}`),
  ];
}
