import type { Behaviour, Incident } from '../behaviour.ts';
import { isStream } from '../request-kind.ts';

/** What Horizon begins every stream with. */
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

/** The connection ends in the middle of a record, after so many whole ones. */
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

/** A record ends with an empty line and has a line `id:`, which the greeting does not have. */
function cutAfter({ raw }: Incident, records: number): void {
  const write = raw.write.bind(raw) as (chunk: string, sent?: () => void) => boolean;
  let left = records;
  let text = '';
  const pass = (event: string) => {
    if (!/^id:/m.test(event) || left-- > 0) {
      write(event);
      return;
    }
    // What the route still writes, its goodbye too, is lost.
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
