/** HTTP without fetch's good manners: paths as they are, headers twice, any Host. */
import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { fromJson } from './api.ts';

export type RawAnswer = { status: number; headers: IncomingHttpHeaders; text: string; body: any };

export async function rawCall(
  url: string,
  method: string,
  path: string,
  options: { headers?: Record<string, string | string[]>; body?: string | Buffer } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const outgoing = request({ hostname, port, method, path, agent: false, headers: options.headers ?? {} });
  outgoing.end(options.body);
  const [message] = (await once(outgoing, 'response')) as [IncomingMessage];
  const content = await text(message);
  return {
    status: message.statusCode ?? 0,
    headers: message.headers,
    text: content,
    body: message.headers['content-type']?.startsWith('application/json') ? fromJson(content) : null,
  };
}
