/** ASCII without control characters, as home domains and data names must be (stellar-core, isStringValid). */
export function isPlainText(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
}
