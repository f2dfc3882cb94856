import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../log.ts';
import type { Network } from '../network.ts';
import { StellarNode } from '../node.ts';
import type { Behaviour, Ending, Incident } from './behaviour.ts';
import type { FaultControl } from './fault-control.ts';
import { MAIN_NODE, worsened } from './node-conditions.ts';
import { requestKind, rpcCallOf, submittedEnvelope } from './request-kind.ts';

/** A request in progress, and the faults that affect it. */
type Passage = { incident: Incident; behaviours: Behaviour[] };

/** Runs before and after the routes: decides which faults affect a request, and applies them. */
export class FaultHooks {
  readonly #control: FaultControl;
  readonly #network: Network;
  readonly #log: Log;
  readonly #names = new WeakMap<IncomingMessage, string>();
  readonly #passages = new WeakMap<FastifyRequest, Passage>();
  readonly #stopping = new AbortController();

  constructor(control: FaultControl, network: Network, log: Log) {
    this.#control = control;
    this.#network = network;
    this.#log = log;
  }

  /** `/nodes/b/rpc` becomes `/rpc`, answered by the node `b`. So no route needs to know about nodes. */
  rewriteUrl(request: IncomingMessage): string {
    const url = request.url ?? '/';
    const [, name, rest] = /^\/nodes\/([a-z0-9-]{1,32})((?:[/?].*)?)$/.exec(url) ?? [];
    if (name === undefined || rest === undefined) return url;
    this.#names.set(request, name);
    return rest.startsWith('/') ? rest : `/${rest}`;
  }

  /** The node that answers this request. */
  nodeOf(request: FastifyRequest): StellarNode {
    return this.#passages.get(request)?.incident.node ?? this.#node(this.#nameOf(request), []);
  }

  register(server: FastifyInstance): void {
    server.addHook('preHandler', (request, reply) => this.#arrive(request, reply));
    server.addHook('onSend', (request, reply, body) => this.#leave(request, reply, body));
    server.addHook('preClose', async () => {
      this.#stopping.abort();
      this.#control.release();
    });
  }

  async #arrive(request: FastifyRequest, reply: FastifyReply) {
    const passage = this.#decide(request, reply);
    if (passage === null) return;
    this.#passages.set(request, passage);
    for (const behaviour of passage.behaviours) {
      const ending = await behaviour.before?.(passage.incident);
      if (!ending) continue;
      this.#passages.delete(request);
      if ('wire' in ending) {
        reply.hijack();
        void this.#end(ending, request, reply);
      } else {
        reply.send(await this.#end(ending, request, reply));
      }
      return reply;
    }
  }

  async #leave(request: FastifyRequest, reply: FastifyReply, body: unknown): Promise<unknown> {
    const passage = this.#passages.get(request);
    if (passage === undefined || body instanceof Readable) return body;
    let text = String(body ?? '');
    for (const behaviour of passage.behaviours) {
      const outcome = (await behaviour.after?.(passage.incident, text)) ?? text;
      if (typeof outcome !== 'string') return await this.#end(outcome, request, reply);
      text = outcome;
    }
    if (reply.statusCode === 200) this.#control.pages.remember(passage.incident, text);
    return body === undefined ? body : text;
  }

  /** Decides about all faults when the request arrives. Otherwise the result would depend on how requests overlap. */
  #decide(request: FastifyRequest, reply: FastifyReply): Passage | null {
    const { method, url, body } = request;
    const kind = requestKind({ method, url, accept: request.headers.accept }, body);
    if (kind === null) return null;
    const name = this.#nameOf(request);
    const behaviours: Behaviour[] = [];
    const incident: Incident = {
      kind,
      url,
      call: rpcCallOf(body),
      envelope: submittedEnvelope(url, body),
      node: this.#node(name, behaviours),
      raw: reply.raw,
      pages: this.#control.pages,
      clock: this.#network.options.clock,
      stopping: this.#stopping.signal,
    };
    for (const { id, fault, behaviour } of this.#control.script.strike(incident, name)) {
      this.#log.info(
        { fault: id, kind: fault.kind, on: kind, node: name },
        'a scripted fault affects a request',
      );
      behaviours.push(behaviour);
    }
    return { incident, behaviours };
  }

  /** Ends the request. @returns the body that is left to send */
  async #end(ending: Ending, request: FastifyRequest, reply: FastifyReply): Promise<string | Readable> {
    const { socket } = request.raw;
    if ('wire' in ending && ending.wire === 'reset') {
      socket.resetAndDestroy();
      return '';
    }
    if ('wire' in ending) {
      const ended = this.#control.held.hold(socket);
      if (this.#stopping.signal.aborted) this.#control.release();
      await ended;
      return '';
    }
    if ('cut' in ending) {
      reply.header('content-length', Buffer.byteLength(ending.cut));
      return Readable.from(halfOf(ending.cut));
    }
    reply
      .code(ending.status)
      .type(ending.type)
      .headers(ending.headers ?? {});
    return ending.body;
  }

  #nameOf(request: FastifyRequest): string {
    return this.#names.get(request.raw) ?? MAIN_NODE;
  }

  /** The network as a node shows it, with the conditions that affect this one request. */
  #node(name: string, behaviours: readonly Behaviour[]): StellarNode {
    return new StellarNode(this.#network, () => {
      const latest = this.#network.latest.header.ledgerSeq;
      const added = behaviours.map((behaviour) => behaviour.condition?.(latest) ?? {});
      return added.reduce(worsened, this.#control.nodes.of(name));
    });
  }
}

async function* halfOf(body: string): AsyncGenerator<Buffer> {
  yield Buffer.from(body).subarray(0, Math.floor(Buffer.byteLength(body) / 2));
  // The first half must be sent before the connection breaks.
  await new Promise((resolve) => setImmediate(resolve));
  throw new Error('the answer is cut by a scripted fault');
}
