import type { Behaviour, Incident } from '../behaviour.ts';
import { isStream } from '../request-kind.ts';

/** The first event of every Horizon stream. */
const HELLO = 'retry: 1000\nevent: open\ndata: "hello"\n\n';

/** The answer begins, and then nothing more comes: no record, no keep-alive, no end. */
export function stalledStream(): Behaviour {
  return {
    final: true,
    on: () => true,
    before: ({ kind, raw }) => {
      if (isStream(kind)) raw.writeHead(200, { 'content-type': 'text/event-stream' }).write(HELLO);
      else raw.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).flushHeaders();
      return { wire: 'silence' };
    },
  };
}

/** The connection breaks in the middle of a record, after `after_records` complete ones. */
export function streamCut(afterRecords: number): Behaviour {
  return {
    final: false,
    on: isStream,
    before: (incident) => {
      cutAfter(incident, afterRecords);
      return null;
    },
  };
}

/** A record ends with an empty line and has a line `id:`. The greeting has no such line. */
function cutAfter({ raw }: Incident, records: number): void {
  const write = raw.write.bind(raw) as (chunk: string, sent?: () => void) => boolean;
  let left = records;
  let text = '';
  const pass = (event: string) => {
    if (!/^id:/m.test(event) || left-- > 0) {
      write(event);
      return;
    }
    // Everything that the route writes later is dropped, its closing event too.
    raw.write = () => true;
    raw.end = () => raw;
    write(event.slice(0, event.length / 2), () => raw.destroy());
  };
  raw.write = (chunk: unknown) => {
    const events = `${text}${chunk}`.split(/(?<=\n\n)/);
    text = events.at(-1)?.endsWith('\n\n') ? '' : (events.pop() ?? '');
    for (const event of events) if (left >= 0) pass(event);
    return true;
  };
}
