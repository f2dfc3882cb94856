/**
 * Standard output as the log writes to it. Its reader may stand still (a stopped collector of logs, a full disk behind it): the
 * service goes on, and says how many lines that has cost.
 *
 * | the reader       | lines                                              | at the end of the process, also by a crash      |
 * |------------------|----------------------------------------------------|-------------------------------------------------|
 * | reads            | are written in the background                      | what is left is written, none is lost           |
 * | stands still     | wait, 8 MiB at most; later ones are lost, counted, | what waits is lost: waiting for such a reader,  |
 * |                  | and told when it reads again                       | the process would never end, nor start again    |
 * | takes none: a    | likewise; each line tries again                    | what waits is lost                              |
 * | file, full disk  |                                                    |                                                 |
 * | is gone          | are lost                                           | nothing is left to write                        |
 */
import { pino } from 'pino';

const MOST_WAITING_BYTES = 8 * 1024 * 1024;
/** A reader that has taken nothing for so long stands still. */
const STANDS_STILL_MS = 2_000;

export type LogOutput = {
  write(line: string): void;
  /** Returns how many lines were lost so far. */
  lost(): number;
};

let open: (LogOutput & { onReadAgain: (lines: number) => void }) | null = null;

/** Opens the output, once in each process. `onReadAgain`: gets the number of lines that were lost since it was called last. */
export function openLogOutput(onReadAgain: (lines: number) => void): LogOutput {
  open ??= { ...createLogOutput((lines) => open?.onReadAgain(lines)), onReadAgain };
  open.onReadAgain = onReadAgain;
  return open;
}

/** Lines of the log of this process that nobody could read. */
export function lostLines(): number {
  return open?.lost() ?? 0;
}

function createLogOutput(onReadAgain: (lines: number) => void): LogOutput {
  let [lost, told] = [0, 0];
  let [gone, fails] = [false, false];
  /** When the reader has last taken something; null while nothing waits. */
  let taken_ms: number | null = null;
  // Before pino's own listener, which writes what waits, however long that takes.
  process.on('exit', () => {
    const stands_still = taken_ms !== null && performance.now() - taken_ms > STANDS_STILL_MS;
    if (!gone && (stands_still || fails)) process.kill(process.pid, 'SIGKILL'); // an ordinary end would wait for the thread that writes, or try again for ever
  });
  const destination = pino.destination({ dest: 1, sync: false, maxLength: MOST_WAITING_BYTES });
  destination.on('drop', () => lost++);
  destination.on('write', () => {
    taken_ms = performance.now();
    fails = false;
  });
  destination.on('error', ({ code }: { code?: string }) => {
    gone ||= code === 'EPIPE';
    fails = true;
  });
  destination.on('drain', () => {
    taken_ms = null;
    const lines = lost - told;
    told = lost;
    if (lines > 0) onReadAgain(lines);
  });
  return {
    write(line) {
      taken_ms ??= performance.now();
      destination.write(line);
    },
    lost: () => lost,
  };
}
