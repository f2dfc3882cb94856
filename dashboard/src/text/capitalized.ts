/** Pure: `The wallet is frozen` for `the wallet is frozen`, as a message of the API at the start of a sentence. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
