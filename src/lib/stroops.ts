/** Writes an amount for people: `1 stroop`, `12 stroops`. */
export function stroopsInWords(amount: bigint): string {
  return `${amount} ${amount === 1n || amount === -1n ? 'stroop' : 'stroops'}`;
}
