/** What OpenTelemetry's environment variables say of traces. Source: its specification of them, and of OTLP exporters. */

export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type SamplerName = (typeof SAMPLERS)[number];

export type TraceSettings = {
  /** Of the collector, with its path. */
  url: string;
  /** May hold a credential of the collector. */
  headers: Record<string, string>;
  resource: Record<string, string>;
  sampler: SamplerName;
  sampler_ratio: number;
};

const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;

/**
 * Reads `name=value` pairs separated by commas, the values %-encoded: the form of headers and of resource attributes. Returns
 * null for any other text, and throws nothing: a message could show the credential in a header.
 */
export function readPairs(text: string): Record<string, string> | null {
  const pairs: Record<string, string> = {};
  for (const part of text.split(',').filter((each) => each.trim() !== '')) {
    const [, name = '', value = ''] = /^\s*([^=]*?)\s*=\s*(.*?)\s*$/.exec(part) ?? [];
    if (!NAME.test(name)) return null;
    try {
      pairs[name] = decodeURIComponent(value);
    } catch {
      return null; // a % that encodes nothing
    }
  }
  return pairs;
}

/** Returns the URL of OTLP over HTTP: the path of traces is appended to the endpoint, which may have a path of its own. */
export function tracesUrl(endpoint: string): string {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  return url.href;
}
