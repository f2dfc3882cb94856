/**
 * The page of the API reference, in the look of the dashboard. The browser builds it from a copy of /openapi.json without
 * bounds above 2^53: it would round them. Their descriptions say them in words.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import fastify from 'fastify';
import { joinSentences } from '../../http/openapi.ts';

const compress = promisify(gzip);

export type Reference = { page: string; script: Buffer; script_gzip: Buffer };

/** Where the page reads the document. */
export const DOCUMENT_PATH = '/docs/openapi.json';

/** Loads the reference. Call it at the first request: it takes 50 MB and a third of a second, and most processes never need it. */
export async function loadReference(nonce: string, dashboard_dir: string): Promise<Reference> {
  const { default: apiReference } = await import('@scalar/fastify-api-reference');
  const pages = fastify();
  await pages.register(apiReference, {
    routePrefix: '/docs',
    configuration: {
      url: DOCUMENT_PATH,
      pageTitle: 'Stellar Teller API',
      nonce,
      theme: 'none',
      customCss: styleOf(dashboard_dir),
      withDefaultFonts: false,
      showDeveloperTools: 'never',
      hideClientButton: true, // it leads to another site
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  });
  const { payload } = await pages.inject({ url: '/docs/' });
  const { rawPayload: script } = await pages.inject({ url: '/docs/js/scalar.js' });
  const page = payload
    .replace(/<body[^>]*>/, (body) => `${body}\n${BACK}`)
    .replace('<html>', '<html lang="en">');
  return { page, script, script_gzip: await compress(script) };
}

const BACK = `<nav class="teller-back" aria-label="Dashboard"><a href="/">← Dashboard</a></nav>`;

/** Rewrites the document for a reader that has no integers above 2^53: without such bounds, which descriptions say in words. */
export function documentForPage(text: string): string {
  const withoutLargeBounds = (name: string, value: unknown) =>
    (name === 'maximum' || name === 'minimum') && !Number.isSafeInteger(value) ? undefined : value;
  const document = JSON.parse(text, withoutLargeBounds) as { components: { schemas: Named } };
  const bounds = new Map(
    Object.entries(document.components.schemas).flatMap(([name, { description = '' }]) => {
      const words = /From [0-9]+ to [0-9]+\.$/.exec(description)?.[0];
      return words === undefined ? [] : [[`#/components/schemas/${name}`, words] as const];
    }),
  );
  return JSON.stringify(document, (_, value) => withBounds(value, bounds));
}

type Named = Record<string, { description?: string }>;
type Referring = { $ref?: string; anyOf?: { $ref?: string }[]; description?: string };

/** Adds the words for the bounds of a schema to a member that refers to it: the words of a member hide those of the schema. */
function withBounds(value: unknown, bounds: Map<string, string>): unknown {
  if (typeof value !== 'object' || value === null || !('description' in value)) return value;
  const { $ref, anyOf = [], description } = value as Referring;
  const words = [$ref, ...anyOf.map((each) => each.$ref)].flatMap((name = '') => bounds.get(name) ?? [])[0];
  if (words === undefined || typeof description !== 'string') return value;
  return { ...value, description: joinSentences([description, words]) };
}

/**
 * Returns the CSS of the page. Code wraps and lists are whole: what scrolls inside the page cannot be reached by the keyboard. The
 * colours are those of dashboard/src/shell/colours.ts; each has a contrast of 4.5:1 and more on its background (WCAG 2.2 AA).
 */
function styleOf(dashboard_dir: string): string {
  return `${fontFace(dashboard_dir)}
:root { --scalar-font: 'Inter Variable', system-ui, sans-serif; --scalar-font-code: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; --scalar-radius: 8px; }
.light-mode { --scalar-background-1: #ffffff; --scalar-background-2: #f8f9fa; --scalar-background-3: #e9ecef; --scalar-color-1: #212529; --scalar-color-2: #565e67; --scalar-color-3: #565e67; --scalar-color-accent: #3b5bdb; --scalar-background-accent: #edf2ff; --scalar-border-color: #dee2e6; --scalar-color-green: #066649; --scalar-color-red: #b02525; --scalar-color-yellow: #8a4500; --scalar-color-blue: #3b5bdb; --scalar-color-orange: #a33000; --scalar-color-purple: #6741d9; --scalar-link-color: #3b5bdb; }
.dark-mode { --scalar-background-1: #1a1c1f; --scalar-background-2: #23262a; --scalar-background-3: #2e3136; --scalar-color-1: #d5d7da; --scalar-color-2: #b4b9bf; --scalar-color-3: #b4b9bf; --scalar-color-accent: #91a7ff; --scalar-background-accent: #2b3350; --scalar-border-color: #3f4349; --scalar-color-green: #63e6be; --scalar-color-red: #ff8787; --scalar-color-yellow: #ffd43b; --scalar-color-blue: #91a7ff; --scalar-color-orange: #ffa94d; --scalar-color-purple: #b197fc; --scalar-link-color: #91a7ff; }
.teller-back { position: fixed; right: 1rem; bottom: 1rem; z-index: 100; }
.teller-back a { display: block; padding: 0.5rem 0.9rem; border-radius: 8px; background: #3b5bdb; color: #fff; font: 500 14px 'Inter Variable', system-ui, sans-serif; text-decoration: none; }
.teller-back a:focus-visible { outline: 2px solid #3b5bdb; outline-offset: 2px; }
.scalar-app pre code.custom-scroll, .scalar-app pre code.custom-scroll * { overflow: visible; white-space: pre-wrap !important; overflow-wrap: anywhere !important; }
.scalar-app .endpoints, .scalar-app .scalar-card, .scalar-app .scalar-card-content { overflow: visible; max-height: none; }
.scalar-app .scalar-card-content { min-width: 0; grid-template-columns: minmax(0, 1fr); }
.scalar-app .markdown table { display: table; table-layout: fixed; width: 100%; }
.scalar-app .markdown { overflow-wrap: anywhere; }
.scalar-toaster:empty { display: none; }
.scalar-app .endpoints * { white-space: normal; overflow-wrap: anywhere; }
.scalar-app .scalar-card-content pre { width: auto; }
.scalar-app .scalar-card-content pre, .scalar-app .scalar-card-content pre * { white-space: pre-wrap !important; overflow-wrap: anywhere !important; }`;
}

/** Returns the CSS of the typeface, which is a file of the dashboard. Returns '' without the file: the system's typeface is used. */
function fontFace(dashboard_dir: string): string {
  const assets = join(dashboard_dir, 'assets');
  const file =
    existsSync(assets) && readdirSync(assets).find((name) => /^inter-latin-wght-normal.*\.woff2$/.test(name));
  if (!file) return '';
  return `@font-face { font-family: 'Inter Variable'; font-weight: 100 900; font-display: swap; src: url('/assets/${file}') format('woff2'); }`;
}
