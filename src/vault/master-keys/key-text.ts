/**
 * Reads the text of the master key into locked memory: from a file, or from a variable of the environment, as the kernel
 * holds it. JavaScript never sees the text as a string, because nothing can wipe a string.
 */
import { closeSync, fstatSync, openSync, readSync, type Stats, writeSync } from 'node:fs';
import { readInto, secureBytes, wipe } from './secure-bytes.ts';

/** More than any key with spaces around it. */
const MAX_TEXT_BYTES = 256;
const CHUNK_BYTES = 4096;
const OTHERS = 0o007;
const GROUP_WRITES = 0o020;
const GROUP_READS = 0o040;
const ROOT = 0;
/** Of /proc/self/stat, after the name of the program: proc(5) counts `env_start` as field 50, and the state as field 3. */
const ENV_START = 50 - 3;

/** The message is for the operator, and has nothing of the text. */
export class KeyTextError extends Error {}

/**
 * Reads the text of a key from a file, for the caller to wipe.
 * @throws KeyTextError when the file cannot be read, is too long, or can be read or changed by others than its owner
 * (`refuseReadByOthers`)
 */
export function readKeyFile(path: string): Buffer {
  return reading(path, (file) => {
    refuseReadByOthers(fstatSync(file));
    const text = secureBytes(MAX_TEXT_BYTES);
    const length = readInto(text, file);
    if (length === text.length) refuseLong(text);
    return trimmed(text, length);
  });
}

/**
 * Refuses a file that other users may read or change. A group may read a file of root: Kubernetes gives secrets to a user that is
 * not root in this way only.
 * @throws KeyTextError
 */
function refuseReadByOthers({ mode, uid }: Stats): void {
  const refused = uid === ROOT ? OTHERS | GROUP_WRITES : OTHERS | GROUP_WRITES | GROUP_READS;
  if ((mode & refused) !== 0)
    throw new KeyTextError('can be read or changed by other users; take that right away (chmod 600)');
}

/**
 * Reads the value of a variable, as the process was started with it, for the caller to wipe. Returns an empty buffer when there is
 * no such variable.
 * @throws KeyTextError when the platform does not show the environment, or the value is longer than a key
 */
export function readKeyVariable(name: string): Buffer {
  return locateVariable(name)?.text ?? Buffer.alloc(0);
}

/**
 * Takes the variable from process.env, so that no process that this one starts gets it, and overwrites its value where the kernel
 * shows the environment of this process to others. Returns false when the value stays there.
 */
export function forgetKeyVariable(name: string): boolean {
  delete process.env[name];
  const found = locateVariable(name);
  if (!found) return true;
  wipe(found.text);
  try {
    overwrite(environmentStart() + found.offset, found.length);
    return true;
  } catch {
    return false; // a kernel that lets no process write there; the caller tells the operator
  }
}

function overwrite(address: number, length: number): void {
  const memory = openSync('/proc/self/mem', 'r+');
  try {
    writeSync(memory, Buffer.alloc(length, '-'), 0, length, address);
  } finally {
    closeSync(memory);
  }
}

/** Returns the memory address of the environment that /proc/self/environ shows. */
function environmentStart(): number {
  return reading('/proc/self/stat', (file) => {
    const bytes = Buffer.alloc(CHUNK_BYTES);
    const stat = bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, null));
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[ENV_START]);
  });
}

type Located = { text: Buffer; offset: number; length: number };

/**
 * Finds the variable in the environment, as the process was started with it; null when it is not there. `offset`: of the value in
 * the environment, in bytes; `length`: in bytes, with the spaces that `text` lacks.
 */
function locateVariable(name: string): Located | null {
  const start = Buffer.from(`${name}=`);
  return reading('/proc/self/environ', (file) => {
    let [offset, at, matches] = [0, 0, true]; // `at`: of this byte in its entry
    const text = secureBytes(MAX_TEXT_BYTES);
    for (const byte of bytesOf(file)) {
      const length = at - start.length;
      if (byte === 0 && matches && length >= 0)
        return { text: trimmed(text, length), offset: offset - length, length };
      if (matches && length >= 0) put(text, length, byte);
      matches = byte === 0 || (matches && (length >= 0 || byte === start[at]));
      at = byte === 0 ? 0 : at + 1;
      offset++;
    }
    return null;
  });
}

function* bytesOf(file: number): Generator<number> {
  const chunk = secureBytes(CHUNK_BYTES);
  try {
    for (;;) {
      const read = readSync(file, chunk, 0, chunk.length, null);
      if (read === 0) return;
      yield* chunk.subarray(0, read);
    }
  } finally {
    wipe(chunk);
  }
}

function put(text: Buffer, at: number, byte: number): void {
  if (at === text.length) refuseLong(text);
  text[at] = byte;
}

/** Wipes the text, which may begin with a key, and throws a KeyTextError. */
function refuseLong(text: Buffer): never {
  wipe(text);
  throw new KeyTextError('has more text than a key');
}

function reading<T>(path: string, use: (file: number) => T): T {
  let file: number | null = null;
  try {
    file = openSync(path, 'r');
    return use(file);
  } catch (error) {
    if (error instanceof KeyTextError) throw error;
    throw new KeyTextError(`cannot be read: ${(error as Error).message}`);
  } finally {
    if (file !== null) closeSync(file);
  }
}

/** Returns the part of `text` without the spaces and line ends around it. It is the same memory. */
function trimmed(text: Buffer, length: number): Buffer {
  const isSpace = (index: number) => [0x20, 0x09, 0x0a, 0x0d].includes(text[index] ?? -1);
  let [start, end] = [0, length];
  while (end > start && isSpace(end - 1)) end--;
  while (start < end && isSpace(start)) start++;
  return text.subarray(start, end);
}
