export const HAL = 'application/hal+json';
export const JSON_TYPE = 'application/json';
export const EVENT_STREAM = 'text/event-stream';

/**
 * The offered type that an Accept header prefers (RFC 9110, 12.5.1). `offered` has the best type first.
 * @returns null when the header accepts none of them
 */
export function negotiate(accept: string | undefined, offered: string[]): string | null {
  if (accept === undefined || accept === '') return offered[0] ?? null;
  for (const range of rangesOf(accept)) {
    const found = offered.find((type) => matches(range, type));
    if (found !== undefined) return found;
  }
  return null;
}

/** The media ranges with their weights, heaviest first, otherwise in their order. */
function rangesOf(accept: string): string[] {
  const ranges = accept.split(',').map((part) => {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    return { range, weight: Number(weight) };
  });
  const wanted = ranges.filter(({ weight }) => weight > 0);
  return wanted.sort((a, b) => b.weight - a.weight).map(({ range }) => range);
}

function matches(range: string, type: string): boolean {
  if (range === '*/*' || range === type) return true;
  return range.endsWith('/*') && type.startsWith(range.slice(0, -1));
}
