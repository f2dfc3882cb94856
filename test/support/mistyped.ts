/** The address G… with another last letter, so that its checksum is wrong. */
export function mistyped(address: string): string {
  return address.slice(0, -1) + (address.endsWith('A') ? 'B' : 'A');
}
