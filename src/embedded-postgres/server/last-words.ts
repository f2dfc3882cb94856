/** What PostgreSQL said before it ended, for a person. */
import { DISK_FULL, TOO_FEW_FILES } from '../../lib/folders.ts';

/** What PostgreSQL puts before each line of its log. */
const LINE_PREFIX = /^\d{4}-\S+ \S+ \S+ \[\d+\] /;
const FAULT = /^(\w+: )?(LOG|ERROR|FATAL|PANIC|error|could not|DETAIL)\b/;
/** What follows the fault that has ended a start. */
const FAREWELL =
  /^LOG: +(startup process \(PID|terminating any other active|shutting down due to startup|database system is shut down|aborting startup)/;
const LAST_LINES = 3;

const MEANINGS: [RegExp, string][] = [
  [/No space left on device/, DISK_FULL],
  [/Disk quota exceeded/, 'the disk quota is used up'],
  [/insufficient file descriptors|Too many open files/, TOO_FEW_FILES],
  [/Read-only file system/, 'it is on a read-only file system'],
];

/** Returns the end of the output on one line, behind its meaning where that is known; empty when there is no output. */
export function lastWords(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.replace(LINE_PREFIX, '').trim())
    .filter((line) => !FAREWELL.test(line));
  const faults = lines.filter((line) => FAULT.test(line));
  const words = (faults.length > 0 ? faults : lines.filter(Boolean)).slice(-LAST_LINES).join('; ');
  const [, meaning] = MEANINGS.find(([pattern]) => pattern.test(words)) ?? [];
  return meaning === undefined ? words : `${meaning} (${words})`;
}
