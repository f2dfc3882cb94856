/** Those whom events are delivered to, and the way to them: no socket, but a gate at every request. They remember all. */
import type { Dispatcher } from 'undici';
import type { OpenPool } from '../../src/outgoing/post.ts';
import type { Receipt } from '../oracle/receipt.ts';
import type { Random } from '../support/random.ts';
import type { KillableOwner } from './database.ts';
import type { Choice, Faults } from './faults.ts';
import { RECEIVER_FAULTS, type ReceiverFault } from './receiver-faults.ts';
import type { Owner, Scheduler } from './scheduler.ts';

type ReceiverSetting = { scheduler: Scheduler; world: Owner; random: Random; faults: Faults };
type Request = { url: string; headers: Record<string, string>; body: Buffer };
/** undici's handler of a request, and the controller that says whether it still listens. */
type Line = { handler: Dispatcher.DispatchHandler; controller: Dispatcher.DispatchController };

export class Receivers {
  readonly receipts: Receipt[] = [];
  /** What every request to a URL meets just now. */
  readonly ill = new Map<string, ReceiverFault>();
  /** Where somebody has sent something. */
  readonly urls = new Set<string>();
  readonly #world: ReceiverSetting;

  constructor(world: ReceiverSetting) {
    this.#world = world;
  }

  /** What a process has instead of undici's pools. */
  poolsOf(owner: KillableOwner): OpenPool {
    return (origin) => ({
      dispatch: ({ path, headers, body }, handler) => {
        const request = { url: origin + path, headers, body } as Request;
        const line = { handler, controller: newController() };
        this.#world.scheduler.soon(owner, () => this.#carryOut(owner, request, line));
        return true;
      },
      close: async () => undefined,
      destroy: async () => undefined,
    });
  }

  #carryOut(owner: KillableOwner, request: Request, line: Line): void {
    const { scheduler, faults } = this.#world;
    const { url } = request;
    this.urls.add(url);
    const standing = this.ill.get(url);
    const choice: Choice<ReceiverFault> = standing
      ? { fault: standing }
      : faults.choose(owner, 'request', RECEIVER_FAULTS, 'POST');
    if (choice && 'kill' in choice) {
      if (choice.kill === 'after') this.#take(request);
      owner.kill();
      return;
    }
    const fault = choice?.fault ?? null;
    scheduler.history.record(owner.name, `POST ${request.headers['webhook-id']} to ${url}: ${fault?.name}`);
    if (fault?.at === 'before') {
      if ('error' in fault) this.#fail(owner, line, fault);
      return;
    }
    line.handler.onRequestStart?.(line.controller, {});
    if (line.controller.aborted) return; // nobody waits for it any more
    this.#answer(owner, line, this.#take(request), fault);
  }

  #take({ url, headers, body }: Request): Receipt {
    const receipt = {
      url,
      body: body.toString(),
      at_ms: this.#world.scheduler.now_ms,
      answered: null,
      svc_signature: `${headers['X-Svc-Signature']}`,
      webhook_signature: `${headers['webhook-signature']}`,
      webhook_id: `${headers['webhook-id']}`,
      timestamp: `${headers['webhook-timestamp']}`,
      sequence: `${headers['webhook-sequence']}`,
    };
    this.receipts.push(receipt);
    return receipt;
  }

  #answer(owner: KillableOwner, line: Line, receipt: Receipt, fault: ReceiverFault | null): void {
    const { scheduler, world, random } = this.#world;
    if (fault === null) tell(line, receipt, { status: 200 });
    else if ('status' in fault) tell(line, receipt, fault);
    else if ('error' in fault) this.#fail(owner, line, fault);
    else if ('cut_off' in fault) tell(line, receipt, { status: 200, broken: fault.cut_off() });
    else if ('late_ms' in fault)
      scheduler.later(world, fault.late_ms(random), () => {
        receipt.answered = 200; // whether or not somebody is there to read it
        scheduler.soon(owner, () => tell(line, receipt, { status: 200 }));
      });
  }

  #fail(
    owner: KillableOwner,
    { handler, controller }: Line,
    fault: Extract<ReceiverFault, { error: unknown }>,
  ): void {
    const fail = () => handler.onResponseError?.(controller, fault.error());
    if (fault.wait_ms === undefined) fail();
    else this.#world.scheduler.later(owner, fault.wait_ms, fail);
  }
}

/** `broken`: what happens to the connection after the status line. */
type Answer = { status: number; headers?: Record<string, string>; broken?: Error };

function tell({ handler, controller }: Line, receipt: Receipt, { status, headers, broken }: Answer): void {
  receipt.answered = status;
  if (controller.aborted) return;
  handler.onResponseStart?.(controller, status, headers ?? {});
  if (broken) {
    handler.onResponseError?.(controller, broken);
    return;
  }
  handler.onResponseData?.(controller, Buffer.from(`status ${status}`));
  handler.onResponseEnd?.(controller, {});
}

function newController(): Dispatcher.DispatchController {
  return {
    aborted: false,
    paused: false,
    reason: null,
    abort(reason) {
      Object.assign(this, { aborted: true, reason });
    },
    pause() {},
    resume() {},
  };
}
