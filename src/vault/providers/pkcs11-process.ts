/**
 * The process that has the PKCS#11 module of an HSM's vendor. A module is foreign native code that may wait for its device
 * for as long as it likes, or crash: here it stops neither deposits nor webhooks, and has
 * neither the memory nor the secrets of the environment of the service. It is no other user: a module that means harm could read what
 * the user of the service may read, like the file of the master key.
 *
 * | what happens                                  | what this process does                                           |
 * |-----------------------------------------------|------------------------------------------------------------------|
 * | a call fails, the known answer opens          | answers `refused`: those bytes are not of this key               |
 * | a call fails, and so does the known answer    | answers `away` and ends; the service starts it again, which      |
 * |                                               | finds the token and logs in again                                |
 * | the token does not accept the PIN             | answers `denied` to every call: another try could lock the token |
 * | no module, token or key                       | answers with the reason, and ends                                |
 * | the service ends                              | standard input ends, and so does this process                    |
 *
 * Argument: the settings as JSON. The PIN comes from its file.
 */
import { readFileSync, writeSync } from 'node:fs';
import sodium from 'sodium-native';
import { secureBytes, wipe } from '../master-keys/secure-bytes.ts';
import { createReader, frame, joinParts, type Message, splitParts } from './frames.ts';
import { DATA_KEY_BYTES, KeyProviderError } from './key-provider.ts';
import {
  ANSWERED,
  FAULTS,
  HEAD_BYTES,
  IV_BYTES,
  MAKE,
  type Pkcs11Settings,
  SESSIONS,
  TAG_BYTES,
  VERSION,
  WRAPPED_BYTES,
} from './pkcs11-messages.ts';
import { CK, CKR, loadPkcs11, PACKAGE, type Pkcs11 } from './pkcs11-module.ts';

const KNOWN_CONTEXT = Buffer.from('stellar-teller known answer');

/** `room`: a token wants room for the whole ciphertext, although what it decrypts is shorter; `data_key` is its beginning. */
type Session = { handle: Buffer; room: Buffer; data_key: Buffer };
type Token = { module: Pkcs11; key: Buffer; free: Session[]; known: Buffer };

const settings: Pkcs11Settings = JSON.parse(process.argv[2] ?? '{}');
const token = connect().catch((error: unknown) => failureOf(error, 'away'));

const take = createReader(({ call, kind, bytes }) => void serve({ call, kind, bytes: Buffer.from(bytes) }));
process.stdin.on('data', take);
process.stdin.on('end', () => process.exit(0));

async function serve({ call, kind, bytes }: Message): Promise<void> {
  const opened = await token;
  if (opened instanceof KeyProviderError) return refuse(call, opened);
  const session = opened.free.pop();
  if (!session) throw new Error('more calls at once than sessions');
  const [context, wrapped] = splitParts(bytes);
  try {
    if (kind === MAKE) {
      sodium.randombytes_buf(session.data_key);
      const made = await wrap(opened, session, context);
      answer(call, ANSWERED, joinParts(session.data_key, made));
    } else {
      await unwrap(opened, session, context, wrapped);
      answer(call, ANSWERED, session.data_key);
    }
  } catch (error) {
    refuse(call, await classified(opened, session, error));
  } finally {
    wipe(session.room);
    opened.free.push(session);
  }
}

/**
 * Classifies an error as `refused` or `away`, unless the error itself names another fault. What the token says of a wrong context
 * may be what it says when it is broken: the known answer tells which it is.
 */
async function classified(opened: Token, session: Session, error: unknown): Promise<KeyProviderError> {
  try {
    await unwrap(opened, session, KNOWN_CONTEXT, opened.known);
  } catch {
    return failureOf(error, 'away');
  }
  return failureOf(error, 'refused');
}

function refuse(call: number, error: KeyProviderError): void {
  answer(call, FAULTS.indexOf(error.fault), Buffer.from(error.message));
  if (error.fault === 'away' || error.fault === 'unusable') process.exit(1);
}

/** Writes the answer at once, so that nothing of it waits in a queue, and wipes it. A pipe takes so few bytes whole. */
function answer(call: number, kind: number, bytes: Buffer): void {
  const framed = frame({ call, kind, bytes });
  writeSync(1, framed);
  framed.fill(0);
}

/** @throws KeyProviderError */
async function connect(): Promise<Token> {
  const module = loadPkcs11();
  if (!module) throw new KeyProviderError('unusable', `the package ${PACKAGE} is not installed`);
  try {
    module.load(settings.module);
  } catch (error) {
    throw failureOf(error, 'unusable');
  }
  module.C_Initialize({ flags: CK.os_locking_ok });
  const slot = findSlot(module);
  const free = Array.from({ length: SESSIONS }, () => {
    const room = secureBytes(DATA_KEY_BYTES + TAG_BYTES);
    const handle = module.C_OpenSession(slot, CK.serial_session | CK.rw_session);
    return { handle, room, data_key: room.subarray(0, DATA_KEY_BYTES) };
  });
  const [first] = free as [Session];
  logIn(module, first.handle);
  const found = { module, key: findKey(module, first.handle) };
  return { ...found, free, known: await wrap(found, first, KNOWN_CONTEXT) };
}

/**
 * Finds the slot of the token by the token's label: the number of a slot may change.
 * @throws KeyProviderError `away` when no token has the label, `unusable` when several have it
 */
function findSlot(module: Pkcs11): Buffer {
  const { token_label } = settings;
  const slots = module.C_GetSlotList(true);
  const named = slots.filter((slot) => module.C_GetTokenInfo(slot).label.trim() === token_label);
  const [slot, another] = named;
  if (another) throw new KeyProviderError('unusable', `there are several tokens "${token_label}"`);
  if (!slot) throw new KeyProviderError('away', `there is no token "${token_label}"`);
  return slot;
}

/** Logs in with the PIN from its file. All sessions of a process are logged in together. */
function logIn(module: Pkcs11, session: Buffer): void {
  const pin = readFileSync(settings.pin_file, 'utf8').trim();
  module.C_Login(session, CK.user, pin);
}

function findKey(module: Pkcs11, session: Buffer): Buffer {
  const { key_label } = settings;
  module.C_FindObjectsInit(session, [
    { type: CK.class, value: CK.secret_key },
    { type: CK.key_type, value: CK.aes },
    { type: CK.label, value: key_label },
  ]);
  const [key, another] = module.C_FindObjects(session, 2);
  module.C_FindObjectsFinal(session);
  if (another) throw new KeyProviderError('unusable', `the token has several AES keys "${key_label}"`);
  if (!key) throw new KeyProviderError('unusable', `the token has no AES key "${key_label}"`);
  return key;
}

/** Wraps the data key of the session: version, nonce, ciphertext and tag. */
async function wrap(
  { module, key }: Pick<Token, 'module' | 'key'>,
  { handle, data_key }: Session,
  context: Buffer,
): Promise<Buffer> {
  const wrapped = Buffer.alloc(WRAPPED_BYTES);
  wrapped.writeUInt8(VERSION);
  const iv = wrapped.subarray(1, HEAD_BYTES);
  sodium.randombytes_buf(iv);
  module.C_EncryptInit(handle, gcm(iv, context), key);
  const { length } = await module.C_EncryptAsync(handle, data_key, wrapped.subarray(HEAD_BYTES));
  if (length !== WRAPPED_BYTES - HEAD_BYTES) throw new Error('the token wraps in another form');
  return wrapped;
}

/** Unwraps into the data key of the session. */
async function unwrap(
  { module, key }: Token,
  { handle, room }: Session,
  context: Buffer,
  wrapped: Buffer,
): Promise<void> {
  module.C_DecryptInit(handle, gcm(wrapped.subarray(1, HEAD_BYTES), context), key);
  const { length } = await module.C_DecryptAsync(handle, wrapped.subarray(HEAD_BYTES), room);
  if (length !== DATA_KEY_BYTES) throw new Error('the token unwraps in another form');
}

function gcm(iv: Buffer, aad: Buffer) {
  const parameter = { type: CK.gcm, iv, aad, ivBits: IV_BYTES * 8, tagBits: TAG_BYTES * 8 };
  return { mechanism: CK.aes_gcm, parameter };
}

const DENIED = new Set<number>([
  CKR.pin_incorrect,
  CKR.pin_invalid,
  CKR.pin_len_range,
  CKR.pin_expired,
  CKR.pin_locked,
]);
const UNUSABLE = new Set<number>([
  CKR.key_size_range,
  CKR.key_type_inconsistent,
  CKR.key_function_not_permitted,
  CKR.mechanism_invalid,
  CKR.mechanism_param_invalid,
]);

function failureOf(error: unknown, otherwise: 'away' | 'refused' | 'unusable'): KeyProviderError {
  if (error instanceof KeyProviderError) return error;
  const { code, message, syscall } = error as Error & { code?: number; syscall?: string };
  if (syscall) return new KeyProviderError('unusable', `the file of the PIN cannot be read: ${message}`);
  if (code !== undefined && DENIED.has(code)) return new KeyProviderError('denied', message);
  if (code !== undefined && UNUSABLE.has(code)) return new KeyProviderError('unusable', message);
  return new KeyProviderError(otherwise, message);
}
