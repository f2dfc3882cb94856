/** `1 stroop`, `12 stroops`: an amount as people read it. */
export function stroopsInWords(amount: bigint): string {
  return `${amount} ${amount === 1n || amount === -1n ? 'stroop' : 'stroops'}`;
}
