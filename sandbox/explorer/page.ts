import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { HAL, JSON_TYPE, negotiate } from '../horizon/negotiate.ts';

const HTML = 'text/html';
const FOLDER = join(import.meta.dirname, '..', 'page');

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

const FILES = [
  'index.html',
  'page.css',
  'icon.svg',
  'page.js',
  'api.js',
  'dom.js',
  'format.js',
  'home.js',
  'lists.js',
  'details.js',
  'account.js',
  'forms.js',
  'issuers.js',
  'keys.js',
];

/** The page loads only its own files, has no inline code, and cannot be embedded in a frame. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-cache',
  vary: 'accept',
};

/** Address of the page itself; `pageAtRoot` sends browsers there. */
const PAGE_URL = '/explorer/page/index.html';

export function servePage(server: FastifyInstance): void {
  for (const name of FILES) {
    const content = readFileSync(join(FOLDER, name));
    const type = TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
    server.get(`/explorer/page/${name}`, async (_request, reply) =>
      reply.headers(HEADERS).type(type).send(content),
    );
  }
}

/**
 * For fastify's `rewriteUrl`. A client that prefers HTML at the root, such as a browser, gets the page. Undefined
 * for all others: they get the root document of Horizon.
 */
export function pageAtRoot({ method, url = '', headers }: IncomingMessage): string | undefined {
  const atRoot = method === 'GET' && (url === '/' || url.startsWith('/?'));
  return atRoot && negotiate(headers.accept, [HAL, JSON_TYPE, HTML]) === HTML ? PAGE_URL : undefined;
}
