/**
 * The pages for browsers: the dashboard and the API reference. This service serves all their files, and their content
 * security policy allows requests to no other server.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply } from 'fastify';
import type { HttpApp } from '../http/http-app.ts';
import { LLMS } from './reference/llms.ts';
import { DOCUMENT_PATH, documentForPage, loadReference, type Reference } from './reference/page.ts';

const HIDDEN = { schema: { hide: true } as object };

/** Paths that the router of the dashboard handles; the response to each is the one page of the dashboard. */
const DASHBOARD_PATHS = [
  '/',
  '/login',
  '/invitation',
  '/account',
  '/security',
  '/team',
  '/payees',
  '/approvals',
  '/audit',
  '/wallets',
  '/wallets/*',
];

/** Paths that are never pages: an unknown one gets the JSON error of an unknown operation. */
const NOT_OF_DASHBOARD = /^\/(v1|docs|assets)([/?]|$)/;

/** Components set inline styles on their elements; scripts are never inline. */
const DASHBOARD_POLICY = policy({
  'script-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
});

function policy(directives: Record<string, string>): string {
  const all = {
    'default-src': "'none'",
    ...directives,
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  };
  return Object.entries(all)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}

/** Output folder of `npm run dashboard`. */
export const DASHBOARD_DIR = join(import.meta.dirname, '..', '..', 'dashboard', 'dist');

const ICON = join(import.meta.dirname, '..', '..', 'dashboard', 'src', 'shell', 'icon.svg');

/** Serves the dashboard in `dir`; when it is not built, a text that says how to build it. */
export async function dashboardPages(app: HttpApp, dir = DASHBOARD_DIR): Promise<void> {
  if (!existsSync(join(dir, 'index.html'))) {
    app.get('/', HIDDEN, async (_request, reply) =>
      reply.type('text/plain; charset=utf-8').send('The dashboard is not built. Run: npm run dashboard\n'),
    );
    return;
  }
  await app.register(fastifyStatic, {
    root: join(dir, 'assets'),
    prefix: '/assets/',
    // The names of these files change with their content.
    immutable: true,
    maxAge: '1y',
    // Each file is a route of its own: an unknown file gets the JSON error of an unknown operation.
    wildcard: false,
    // The build puts `x.br` and `x.gz` beside `x`: a client that accepts such an encoding gets that file for `x`.
    preCompressed: true,
    globIgnore: ['**/*.{br,gz}'],
    schemaHide: true,
  });
  for (const path of DASHBOARD_PATHS) {
    app.get(path, HIDDEN, async (_request, reply) =>
      asPage(reply, DASHBOARD_POLICY)
        .header('cache-control', 'no-cache')
        .sendFile('index.html', dir, { cacheControl: false }),
    );
  }
  // Not sendFile: its etag would let a browser revalidate, and the 404 would then come without a page.
  const page = readFileSync(join(dir, 'index.html'));
  app.get('/*', HIDDEN, async (request, reply) => {
    if (NOT_OF_DASHBOARD.test(request.url)) return reply.callNotFound();
    reply.header('vary', 'accept');
    if (!prefersPage(request.headers.accept)) return reply.callNotFound();
    return asPage(reply.code(404), DASHBOARD_POLICY).header('cache-control', 'no-cache').send(page);
  });
}

/**
 * Returns true when HTML is preferred to JSON. A browser asks for HTML when somebody opens an address; clients of the API ask for
 * JSON or for anything.
 */
function prefersPage(accept?: string): boolean {
  return weightOf('text/html', accept) > weightOf('application/json', accept);
}

function asPage(reply: FastifyReply, content_security_policy: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('content-security-policy', content_security_policy);
}

/** Of the commands in the guides, as the documents in the repository have it. */
const EXAMPLE_URL = 'http://localhost:3000';

/**
 * Serves the API reference at /docs. `public_url`: where people reach the service, for the commands of the guides. `dir`: the
 * dashboard, whose typeface it has.
 */
export async function referencePages(app: HttpApp, public_url: string, dir = DASHBOARD_DIR): Promise<void> {
  const nonce = randomBytes(16).toString('base64');
  const content_security_policy = policy({
    'script-src': `'self' 'nonce-${nonce}'`,
    'style-src': "'self' 'unsafe-inline'",
    'img-src': "'self' data:",
    'connect-src': "'self'",
    'font-src': "'self'",
  });
  let loading: Promise<Reference> | undefined;
  const load = () => {
    loading ??= loadReference(nonce, dir);
    return loading;
  };
  app.get('/docs', HIDDEN, async (_request, reply) => reply.redirect('/docs/', 301));
  app.get('/docs/', HIDDEN, async (_request, reply) =>
    asPage(reply, content_security_policy).send((await load()).page),
  );
  app.get('/docs/js/scalar.js', HIDDEN, async (request, reply) => {
    const { script, script_gzip } = await load();
    reply.type('application/javascript; charset=utf-8').header('vary', 'accept-encoding');
    if (weightOf('gzip', request.headers['accept-encoding']) === 0) return reply.send(script);
    return reply.header('content-encoding', 'gzip').send(script_gzip);
  });
  app.get(DOCUMENT_PATH, HIDDEN, async (_request, reply) => {
    const { payload } = await app.inject({ url: '/openapi.json', headers: { host: 'localhost' } });
    return reply
      .type('application/json; charset=utf-8')
      .send(documentForPage(payload.replaceAll(EXAMPLE_URL, public_url)));
  });
  app.get('/llms.txt', HIDDEN, async (_request, reply) => reply.type('text/plain; charset=utf-8').send(LLMS));
  // Browsers request it for every page that names no icon, like the reference.
  const icon = readFileSync(ICON);
  app.get('/favicon.ico', HIDDEN, async (_request, reply) =>
    reply.type('image/svg+xml').header('cache-control', 'max-age=86400').send(icon),
  );
}

/** Returns the weight of `name` in an Accept… header, 0 to 1; 0 when it is refused or not named (RFC 9110, 12.4.2). */
function weightOf(name: string, header = ''): number {
  const named = header.split(',').map((each) => each.split(';').map((part) => part.trim().toLowerCase()));
  const [, ...parameters] = named.find(([given]) => given === name) ?? [name, 'q=0'];
  const weight = parameters.find((each) => each.startsWith('q='));
  return weight === undefined ? 1 : Number(weight.slice(2)) || 0;
}
