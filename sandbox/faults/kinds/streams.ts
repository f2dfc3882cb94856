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
  raw.write = (chunk: unknown) => {
    text += Buffer.isBuffer(chunk) ? chunk.toString() : String(chunk);
    let whole = text.indexOf('\n\n');
    while (whole !== -1) {
      const event = text.slice(0, whole + 2);
      text = text.slice(whole + 2);
      if (!/^id:/m.test(event)) write(event);
      else if (left-- > 0) write(event);
      else return write(event.slice(0, event.length / 2), () => raw.destroy());
      whole = text.indexOf('\n\n');
    }
    return true;
  };
}
