/**
 * The master key: 32 bytes that seal every seed. Its text is base64. During a rotation there is a second one, the key before:
 * MASTER_KEY_PREVIOUS and MASTER_KEY_PREVIOUS_FILE are read in the same way.
 *
 * | where the text is          | how it is read                       | what a crash leaves                    |
 * |----------------------------|--------------------------------------|----------------------------------------|
 * | MASTER_KEY_FILE            | from the file into locked memory     | the operator's file                    |
 * | MASTER_KEY                 | from the kernel into locked memory   | nothing: the variable is overwritten   |
 * | `<data_dir>/master-key`    | as MASTER_KEY_FILE                   | the whole file, or none                |
 *
 * The key is never a string, never part of the configuration, and never on the heap.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import sodium from 'sodium-native';
import { OperatorError } from '../../lib/errors.ts';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { forgetKeyVariable, KeyTextError, readKeyFile, readKeyVariable } from './key-text.ts';
import { secureBytes, wipe } from './secure-bytes.ts';

const KEY_BYTES = 32;

/** The variable of the key, and of the key before. Each has a sister with `_FILE`. */
export type KeyVariable = 'MASTER_KEY' | 'MASTER_KEY_PREVIOUS';
/** Where the operator has put the key. */
export type MasterKeySource = { variable: KeyVariable } | { file: string };

export type MasterKey = {
  /** 32 bytes in locked memory. */
  key: Buffer;
  /** The file of a key that was made now, or null. */
  generated_file: string | null;
  /** The text stays readable in the environment of this process. */
  exposed: boolean;
};

/**
 * Finds where the environment says that the key is; `source` is null when it does not say. `faults` says why that key cannot be
 * used, in the words of a configuration error. An empty variable counts as absent. A pipe is not read: it gives its text only once,
 * to `loadMasterKey`.
 */
export function findMasterKey(
  environment: NodeJS.ProcessEnv,
  name: KeyVariable,
): {
  source: MasterKeySource | null;
  faults: string[];
} {
  const sources: MasterKeySource[] = [];
  const faults: string[] = [];
  const file = environment[`${name}_FILE`]?.trim();
  if (file) sources.push({ file });
  try {
    if (isVariableSet(environment, name)) sources.push({ variable: name });
  } catch (error) {
    faults.push(faultOf(name, error));
  }
  if (sources.length > 1) faults.push(`${name} and ${name}_FILE are both set; set only one of them`);
  for (const source of sources) {
    if ('file' in source && isPipe(source.file)) continue;
    try {
      wipe(decodeKey('file' in source ? readKeyFile(source.file) : variableText(environment, name)));
    } catch (error) {
      faults.push(faultOf('file' in source ? `${name}_FILE` : name, error));
    }
  }
  return { source: sources[0] ?? null, faults };
}

function isPipe(path: string): boolean {
  try {
    return statSync(path).isFIFO();
  } catch {
    return false; // reading it tells why
  }
}

/**
 * Loads the key into locked memory: from where the operator has put it, else from `<data_dir>/master-key`. `may_create`: that
 * file is made when it is absent (mode 0600). Without the key every wallet is lost. The variable is taken out of the environment.
 * @throws OperatorError when the text cannot be read, or is no key, or the file is absent and must not be made.
 */
export function loadMasterKey({
  master_key: source,
  data_dir,
  may_create,
}: {
  master_key: MasterKeySource | null;
  data_dir: string;
  may_create: boolean;
}): MasterKey {
  if (source) return { ...loadKey(source), generated_file: null };
  const file = join(data_dir, 'master-key');
  const generated_file = existsSync(file) ? null : file;
  if (generated_file && !may_create)
    throw new OperatorError(
      `There is no ${file}, and the wallets of this database are sealed with its key. Put it back, or set MASTER_KEY_FILE.`,
    );
  if (generated_file) generateInto(file);
  return { ...loadKey({ file }), generated_file };
}

/**
 * Loads a key into locked memory from where the operator has put it. A variable is taken out of the environment.
 * @throws OperatorError when the text cannot be read, or is no key
 */
export function loadKey(source: MasterKeySource): Omit<MasterKey, 'generated_file'> {
  if ('file' in source) return { key: opened(source.file, () => readKeyFile(source.file)), exposed: false };
  const key = opened(source.variable, () => readKeyVariable(source.variable));
  return { key, exposed: !forgetKeyVariable(source.variable) };
}

function opened(origin: string, readText: () => Buffer): Buffer {
  try {
    return decodeKey(readText());
  } catch (error) {
    throw new OperatorError(`${faultOf(origin, error)}.`);
  }
}

/** Returns the words for the operator when the text is at fault. Any other error is ours: it is thrown on. */
function faultOf(origin: string, error: unknown): string {
  if (error instanceof KeyTextError) return `${origin} ${error.message}`;
  throw error;
}

/** Wipes the text at once: the garbage collector would do so only some time later. */
function isVariableSet(environment: NodeJS.ProcessEnv, name: KeyVariable): boolean {
  const text = variableText(environment, name);
  const { length } = text;
  wipe(text);
  return length > 0;
}

/**
 * Reads the text of the variable; empty when there is none. In `process.env` it is read past JavaScript. In an environment that a
 * caller has made it is a string already, and protecting it is up to the caller.
 */
function variableText(environment: NodeJS.ProcessEnv, name: KeyVariable): Buffer {
  if (!(name in environment)) return Buffer.alloc(0);
  if (environment === process.env) return readKeyVariable(name);
  return Buffer.from(environment[name]?.trim() ?? '');
}

/** Wipes the text. */
function decodeKey(text: Buffer): Buffer {
  const key = decodeBase64(text);
  wipe(text);
  if (key?.length !== KEY_BYTES) throw new KeyTextError(`must be ${KEY_BYTES} bytes in base64`);
  if (sodium.sodium_is_zero(key, KEY_BYTES)) throw new KeyTextError('must not be a key of zeros');
  return key;
}

function generateInto(file: string): void {
  const bytes = secureBytes(KEY_BYTES);
  sodium.randombytes_buf(bytes);
  writeKeyFile(file, bytes);
  wipe(bytes);
}

/**
 * Writes the file completely or not at all (mode 0600): seeds sealed with a half-written key could not be opened later.
 * @throws Error EEXIST when there is such a file
 */
export function writeKeyFile(file: string, bytes: Buffer): void {
  const draft = `${file}.${randomBytes(4).toString('hex')}.new`;
  try {
    writeDraft(draft, bytes);
    linkSync(draft, file); // unlike rename, it never replaces a key that another process has just created
  } finally {
    rmSync(draft, { force: true });
  }
  const directory = openSync(dirname(file), 'r');
  fsyncSync(directory); // the name must survive a power failure too
  closeSync(directory);
}

function writeDraft(draft: string, bytes: Buffer): void {
  const text = encodeBase64(bytes);
  const written = openSync(draft, 'wx', 0o600);
  try {
    fchmodSync(written, 0o600); // whatever the umask is
    writeSync(written, text);
    writeSync(written, '\n');
    fsyncSync(written);
  } finally {
    closeSync(written);
    wipe(text);
  }
}
