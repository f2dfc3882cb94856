/** Pure: the addresses of a credential, as they are typed and as the API takes them. */

/** Null for every address. */
export function readAddresses(text: string): string[] | null {
  const lines = text.split(/[\s,]+/).filter(Boolean);
  return lines.length === 0 ? null : lines;
}

export function addressesInWords(allowed_ips: string[] | null): string {
  return allowed_ips === null ? 'every address' : allowed_ips.join(', ');
}

/** The fault that the API found, with the text that it is about. */
export function addressFault(
  details: { path: string; message: string }[],
  allowed_ips: string[] | null,
): string | null {
  const found = details.find(({ path }) => path.startsWith('/allowed_ips'));
  if (!found) return null;
  const index = /^\/allowed_ips\/(\d+)$/.exec(found.path)?.[1];
  return `${index === undefined ? 'The addresses' : (allowed_ips?.[Number(index)] ?? '')} ${found.message}.`;
}
