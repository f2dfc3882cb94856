/**
 * Data keys wrapped by a key of AWS KMS (GenerateDataKey, Decrypt). Credentials come from AWS's own chain: variables, shared
 * files, web identity, container and instance roles.
 *
 * Every call ends in bounded time. What AWS answers is classified by its name; whatever is not known counts as `away`.
 */
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import type { Clock } from '../../lib/clock.ts';
import { randomBytes } from '../../lib/random.ts';
import { decodeBase64 } from '../master-keys/base64.ts';
import { ANSWER_BYTES, type Answer, type Credentials, createAgent, sendRequest } from './aws-request.ts';
import {
  DATA_KEY_BYTES,
  type KeyContext,
  type KeyProvider,
  KeyProviderError,
  type ProviderFault,
} from './key-provider.ts';
import { createPlaces } from './places.ts';

export type AwsKmsSettings = {
  /** The key's ARN, its id, or an alias. */
  key_id: string;
  region: string;
  endpoint: URL;
};

/** `request_ms`: of one attempt; `call_ms`: of all attempts together, the look-up of credentials included. */
type Times = { request_ms: number; call_ms: number };

const TIMES: Times = { request_ms: 2_000, call_ms: 5_000 };
const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 100;
/** Requests at once. KMS allows thousands a second; more connections than that would only wait. */
const PARALLEL = 32;

/** Source: AWS KMS API Reference, Decrypt, CiphertextBlob. */
const WRAPPED_MAX_BYTES = 6_144;

/** The errors of KMS and of the signature check. Source: AWS KMS API Reference, "Common Error Types", Decrypt, GenerateDataKey. */
const FAULTS: Record<string, ProviderFault> = {
  InvalidCiphertextException: 'refused',
  IncorrectKeyException: 'refused',
  AccessDeniedException: 'denied',
  AccessDenied: 'denied',
  NotAuthorized: 'denied',
  OptInRequired: 'denied',
  UnrecognizedClientException: 'denied',
  InvalidClientTokenId: 'denied',
  InvalidSignatureException: 'denied',
  SignatureDoesNotMatch: 'denied',
  IncompleteSignature: 'denied',
  IncompleteSignatureException: 'denied',
  MissingAuthenticationToken: 'denied',
  MissingAuthenticationTokenException: 'denied',
  RequestExpired: 'denied',
  ExpiredTokenException: 'denied',
  ExpiredToken: 'denied',
  DisabledException: 'disabled',
  KMSInvalidStateException: 'disabled',
  NotFoundException: 'unusable',
  InvalidArnException: 'unusable',
  InvalidKeyUsageException: 'unusable',
  ValidationException: 'unusable',
  ThrottlingException: 'throttled',
  Throttling: 'throttled',
  TooManyRequestsException: 'throttled',
  RequestLimitExceeded: 'throttled',
  LimitExceededException: 'throttled',
};
/** The credentials in hand are no longer accepted; newer ones may be. */
const STALE_CREDENTIALS = new Set([
  'ExpiredTokenException',
  'ExpiredToken',
  'UnrecognizedClientException',
  'InvalidClientTokenId',
]);

class AwsError extends KeyProviderError {
  readonly type: string;

  constructor(fault: ProviderFault, type: string, message: string) {
    super(fault, message);
    this.type = type;
  }
}

export function openAwsKms(settings: AwsKmsSettings, clock: Clock, times: Times = TIMES): KeyProvider {
  const { key_id, region, endpoint } = settings;
  const at = { url: endpoint, region };
  const agent = createAgent(at);
  const places = createPlaces(PARALLEL, ANSWER_BYTES + DATA_KEY_BYTES);
  /** The ARN of the key that has unwrapped last. */
  let unwrapped_by: unknown;
  const chain = defaultProvider({ clientConfig: { region } });

  async function credentials(fresh: boolean): Promise<Credentials> {
    try {
      return await chain({ forceRefresh: fresh });
    } catch (error) {
      throw new KeyProviderError('denied', `no credentials of AWS: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }

  async function attempt(
    operation: string,
    parameters: object,
    into: Buffer,
    call: AbortSignal,
    fresh: boolean,
  ) {
    const found = await unlessAborted(credentials(fresh), call);
    const signal = AbortSignal.any([call, AbortSignal.timeout(times.request_ms)]);
    const request = { operation, parameters, credentials: found, now: clock.now(), into, signal };
    const answer = await sendRequest(at, agent, request);
    if (answer.status_code !== 200) throw errorOf(answer);
    return answer.body;
  }

  /** @throws KeyProviderError the last one, when no attempt succeeds */
  async function call(operation: string, parameters: object, into: Buffer): Promise<Buffer> {
    const deadline = AbortSignal.timeout(times.call_ms);
    let fresh = false;
    for (let attempts = 1; ; attempts++) {
      try {
        return await attempt(operation, { KeyId: key_id, ...parameters }, into, deadline, fresh);
      } catch (thrown) {
        const error = providerErrorOf(thrown);
        const again: Again = attempts === ATTEMPTS || deadline.aborted ? 'never' : againAfter(error, fresh);
        if (again === 'never') throw error;
        fresh = again === 'with fresh credentials';
        if (again === 'later') await clock.sleep(pauseMs(attempts), deadline);
      }
    }
  }

  return {
    kind: 'aws-kms',
    key: `${key_id} in ${region}`,
    parallel: PARALLEL,
    makeDataKey: (context, use) =>
      places.within(async (bytes) => {
        const parameters = { KeySpec: 'AES_256', EncryptionContext: contextOf(context) };
        const [into, data_key] = halves(bytes);
        const { CiphertextBlob, KeyId } = readAnswer(
          await call('GenerateDataKey', parameters, into),
          data_key,
        );
        if (typeof CiphertextBlob !== 'string') throw unreadable();
        if (unwrapped_by !== undefined && KeyId !== unwrapped_by)
          throw new KeyProviderError('unusable', `${key_id} has been moved to another key: ${KeyId}`);
        return use(data_key, Buffer.from(CiphertextBlob, 'base64'));
      }),
    unwrapDataKey: (wrapped, context, use) =>
      places.within(async (bytes) => {
        if (wrapped.length === 0 || wrapped.length > WRAPPED_MAX_BYTES)
          throw new KeyProviderError('refused', 'KMS has not wrapped so many bytes');
        const CiphertextBlob = wrapped.toString('base64');
        const parameters = { CiphertextBlob, EncryptionContext: contextOf(context) };
        const [into, data_key] = halves(bytes);
        const answer = await call('Decrypt', parameters, into).catch(asAnswerAboutBytes);
        const { KeyId } = readAnswer(answer, data_key);
        unwrapped_by = KeyId;
        return use(data_key);
      }),
    async close() {
      agent.destroy();
    },
  };
}

/**
 * Throws the error again, a ValidationException as `refused`. KMS calls the bytes of this one call invalid, or the key; the
 * caller's known answer tells which.
 */
function asAnswerAboutBytes(error: KeyProviderError): never {
  const isInvalid = error instanceof AwsError && error.type === 'ValidationException';
  throw isInvalid ? new KeyProviderError('refused', error.message, { cause: error }) : error;
}

/**
 * Returns the error as a KeyProviderError. Any other error becomes `away`: no request has left, because its parts cannot be sent,
 * like credentials with a control character.
 */
function providerErrorOf(error: unknown): KeyProviderError {
  if (error instanceof KeyProviderError) return error;
  return new KeyProviderError('away', (error as Error).message, { cause: error });
}

type Again = 'later' | 'with fresh credentials' | 'never';

/** Decides if and how the call is tried again after this error. `fresh`: the credentials were looked up for the attempt that has failed. */
function againAfter(error: KeyProviderError, fresh: boolean): Again {
  if (!fresh && error instanceof AwsError && STALE_CREDENTIALS.has(error.type))
    return 'with fresh credentials';
  return error.fault === 'throttled' || error.fault === 'away' ? 'later' : 'never';
}

/**
 * Returns the pause before the next attempt, in milliseconds. It is longer each time, and not the same for all callers that were
 * refused at once.
 */
function pauseMs(attempts: number): number {
  return FIRST_PAUSE_MS * 2 ** (attempts - 1) * (0.5 + randomBytes(1).readUInt8() / 255);
}

function halves(bytes: Buffer): [Buffer, Buffer] {
  return [bytes.subarray(0, ANSWER_BYTES), bytes.subarray(ANSWER_BYTES)];
}

/** Returns the encryption context of a data key. CloudTrail shows it with each use of the key. */
function contextOf({ id, public_key }: KeyContext): Record<string, string> {
  return { 'stellar-teller:id': id, 'stellar-teller:public-key': public_key.toString('hex') };
}

/**
 * Decodes `Plaintext` into `data_key` and blanks it, before anything makes a string of the answer. Returns the other fields.
 * @throws KeyProviderError `away`: something else than KMS has answered
 */
function readAnswer(body: Buffer, data_key: Buffer): { CiphertextBlob?: unknown; KeyId?: unknown } {
  const found = body.indexOf('"Plaintext"');
  const start = found < 0 ? -1 : body.indexOf('"', body.indexOf(':', found)) + 1;
  const end = start <= 0 ? -1 : body.indexOf('"', start);
  if (end < 0) throw unreadable();
  const text = body.subarray(start, end);
  const isKey = decodeBase64(text, data_key) !== null;
  text.fill(' ');
  if (!isKey) throw unreadable();
  try {
    return JSON.parse(body.toString());
  } catch {
    throw unreadable();
  }
}

function unreadable(): KeyProviderError {
  return new KeyProviderError('away', 'its answer cannot be read');
}

function errorOf({ status_code, error_type, body }: Answer): KeyProviderError {
  const { __type, message, Message } = jsonOf(body);
  const type = (error_type ?? `${__type ?? ''}`).replace(/^.*#/, '').replace(/:.*$/, '');
  const fault = FAULTS[type] ?? (status_code === 429 ? 'throttled' : 'away');
  const words = `${message ?? Message ?? ''}`.slice(0, 300);
  return new AwsError(fault, type, [type || `HTTP ${status_code}`, words].filter(Boolean).join(': '));
}

/** Parses an answer. Returns an empty object when it is no JSON: such an answer comes from something between here and KMS. */
function jsonOf(body: Buffer): Record<string, unknown> {
  try {
    return Object(JSON.parse(body.toString()));
  } catch {
    return {};
  }
}

/**
 * Waits for the work until the signal aborts. The work itself goes on: looking for credentials cannot be stopped.
 * @throws KeyProviderError `away` when the signal aborts first
 */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new KeyProviderError('away', 'the credentials of AWS do not come in time'));
    if (signal.aborted) return late();
    signal.addEventListener('abort', late);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', late));
  });
}
