/** The way of a process to the nodes: no socket, but a gate at every request. */
import type { Transport } from '../../src/stellar/answers/transport.ts';
import type { Random } from '../support/random.ts';
import type { KillableOwner } from './database.ts';
import type { Choice, Faults } from './faults.ts';
import type { Falsifying } from './ledger-lies.ts';
import { FRIENDBOT_FAULTS, NETWORK_FAULTS, type NetworkFault, type Reply } from './network-faults.ts';
import type { Scheduler } from './scheduler.ts';
import { NODES, type NodeName, type SimulatedNetwork } from './simulated-network.ts';

/** Slowest answer that is no time-out. */
const SLOWEST_MS = 9_500;

export const RPC_URLS = NODES.map((name) => `http://${name}.sim/rpc`);

type TransportSetting = {
  scheduler: Scheduler;
  network: SimulatedNetwork;
  random: Random;
  faults: Faults;
  /** Every envelope that a node was handed by a process. */
  sent: string[];
  /** What happens to every request of a process, or at a node, by its name. */
  standing: Map<string, NetworkFault>;
};

type Request = { node: NodeName; body: string; method: string; params: any };

export function transportOf(world: TransportSetting, owner: KillableOwner): Transport {
  return {
    send({ url, method: verb, body }) {
      if (verb === 'GET') return friendbot(world, owner, new URL(url));
      const text = body?.text ?? '{}';
      const { method, params } = JSON.parse(text);
      const request = { node: new URL(url).hostname.slice(0, 1) as NodeName, body: text, method, params };
      return new Promise((resolve, reject) => {
        world.scheduler.soon(owner, () => {
          const { after_ms, answer } = carryOut(world, owner, request);
          if (answer === null) return;
          const deliver = () => (answer instanceof Error ? reject(answer) : resolve(answer));
          if (after_ms === 0) deliver();
          else world.scheduler.later(owner, after_ms, deliver);
        });
      });
    },
    close: async () => undefined,
  };
}

/** Only friendbot is asked with GET. Its answer comes when the account is in a ledger. */
function friendbot(world: TransportSetting, owner: KillableOwner, url: URL): Promise<Reply> {
  return new Promise((resolve, reject) => {
    world.scheduler.soon(owner, async () => {
      const choice = world.faults.choose(owner, 'request', FRIENDBOT_FAULTS, 'friendbot');
      if (choice && 'kill' in choice) {
        owner.kill();
        return;
      }
      const outcome = world.network.friendbot.fund(url.searchParams.get('addr') ?? '');
      if (choice) reject(choice.fault.error());
      else void outcome.then(() => resolve({ status: 200, text: '{}' }));
    });
  });
}

const byMethod = new Map<string, readonly NetworkFault[]>();

function candidatesOf(method: string): readonly NetworkFault[] {
  const known = byMethod.get(method);
  if (known) return known;
  const candidates = NETWORK_FAULTS.filter(({ methods }) => methods?.includes(method) ?? true);
  byMethod.set(method, candidates);
  return candidates;
}

type Carried = { after_ms: number; answer: Reply | Error | null };

/** `answer` null: the process died of it. */
function carryOut(world: TransportSetting, owner: KillableOwner, request: Request): Carried {
  const { faults, scheduler } = world;
  const candidates = candidatesOf(request.method);
  const standing = world.standing.get(owner.name) ?? world.standing.get(request.node);
  const choice: Choice<NetworkFault> = standing
    ? { fault: standing }
    : faults.choose(owner, 'request', candidates, request.method);
  if (choice && 'kill' in choice) {
    if (choice.kill === 'after') ask(world, request);
    owner.kill();
    return { after_ms: 0, answer: null };
  }
  if (!choice) return { after_ms: 0, answer: ask(world, request) };
  const { fault } = choice;
  scheduler.history.record(owner.name, `${request.method} at ${request.node}: ${fault.name}`);
  return {
    after_ms: fault.wait_ms ?? ('slow' in fault ? world.random.integer(1, SLOWEST_MS) : 0),
    answer: spoil(world, request, fault),
  };
}

function spoil(world: TransportSetting, request: Request, fault: NetworkFault): Reply | Error {
  if ('condition' in fault) {
    return ask(world, request, fault.condition(world.random, world.network.latest.sequence));
  }
  const reply = fault.at === 'before' ? null : ask(world, request);
  if ('error' in fault) return fault.error();
  if ('reply' in fault) return fault.reply;
  if (reply === null || 'slow' in fault) return reply ?? ask(world, request);
  if ('text' in fault) return { ...reply, text: fault.text(reply.text) };
  const parsed = JSON.parse(reply.text);
  if (parsed.result === undefined) return reply;
  const result = fault.alter(parsed.result, falsifying(world, request));
  return { ...reply, text: JSON.stringify({ ...parsed, result }) };
}

function ask(world: TransportSetting, { node, body, method, params }: Request, worse = {}): Reply {
  if (method === 'sendTransaction') remember(world.sent, params.transaction);
  return { status: 200, text: world.network.ask(node, body, worse) };
}

const REMEMBERED = 100;

function remember(sent: string[], envelope_xdr: string): void {
  if (sent.at(-1) === envelope_xdr) return;
  sent.push(envelope_xdr);
  if (sent.length > REMEMBERED) sent.shift();
}

function falsifying({ network, random }: TransportSetting, { node, method, params }: Request): Falsifying {
  return {
    random,
    params,
    ask: (other) =>
      JSON.parse(network.ask(node, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: other }))).result,
    otherHash: (not) =>
      network.transactions.findLast(({ hash, inner_hash }) => hash !== not && inner_hash !== not)?.hash,
  };
}
