import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import sodium from 'sodium-native';
import { OperatorError } from '../errors.ts';
import { secureBytes } from './secure-bytes.ts';

const KEY_BYTES = 32;

/**
 * Loads the key-encryption key into locked memory: from MASTER_KEY (base64), else from `<data_dir>/master-key`, which the
 * first start creates (mode 0600). Without it every wallet is lost.
 * @throws Error when the text is not 32 bytes in base64.
 */
export function loadMasterKey(options: { master_key: string | undefined; data_dir: string }): {
  key: Buffer;
  generated_file: string | null;
} {
  if (options.master_key) return { key: decode(options.master_key, 'MASTER_KEY'), generated_file: null };
  const file = join(options.data_dir, 'master-key');
  const generated_file = existsSync(file) ? null : file;
  if (generated_file) generateInto(file);
  return { key: decode(readFileSync(file, 'utf8').trim(), file), generated_file };
}

function decode(text: string, origin: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== KEY_BYTES)
    throw new OperatorError(`${origin} must hold ${KEY_BYTES} bytes in base64.`);
  const key = secureBytes(KEY_BYTES);
  bytes.copy(key);
  bytes.fill(0);
  return key;
}

/** Writes the file completely or not at all: seeds sealed with a half-written key could not be opened later. */
function generateInto(file: string): void {
  const bytes = Buffer.alloc(KEY_BYTES);
  sodium.randombytes_buf(bytes);
  const draft = `${file}.${randomBytes(4).toString('hex')}.new`;
  writeFileSync(draft, `${bytes.toString('base64')}\n`, { flag: 'wx', mode: 0o600, flush: true });
  linkSync(draft, file); // unlike rename, it never replaces a key that another process has just created
  rmSync(draft);
  const directory = openSync(dirname(file), 'r');
  fsyncSync(directory); // the name must survive a power failure too
  closeSync(directory);
}
