/**
 * Pure: what an exam sends to a receiver. No receiver can book any of it: the types of all events end in `.test`, and the
 * resources in them have ids and accounts that cannot exist. `webhook-sequence` goes on after the last delivery: a receiver that
 * keeps its place must not take the exam for old events.
 */
import { stringify } from '../../http/exact-json.ts';
import { RawJson } from '../../http/read-json.ts';
import { newId } from '../../lib/ids.ts';
import { newSigningSecret, type SigningKeys, signingKeys } from '../../outgoing/sign.ts';
import { headersSignedBy } from '../events/delivery-headers.ts';

/** What the requests of an exam are made of. `old`: keys of replaced secrets that still sign. `deposit`: one that cannot exist. */
export type Signer = {
  wallet_id: string;
  keys: { current: SigningKeys; old: SigningKeys[] };
  deposit: (at: string) => object;
  /** Takes the next `webhook-sequence` of the exam. */
  nextSequence: () => bigint;
};

/** `in_pieces`: the body is sent in two pieces, with a pause between them. */
export type ExamRequest = {
  event_id: string;
  headers: Record<string, string>;
  body: Buffer;
  in_pieces: boolean;
};

export type ExamCase = {
  name: string;
  /** What is sent, in a sentence. */
  sent: string;
  /** `accepted`: every answer is 2xx. `refused`: the answer is 4xx. */
  expected: 'accepted' | 'refused';
  /** What to change in a receiver that does not answer so. */
  mend: string;
  /** Makes the requests, signed at `now`, in their order. */
  requests(signer: Signer, now: Date): ExamRequest[];
};

export const LARGEST_AMOUNT = 2n ** 63n - 1n;
export const LARGEST_MEMO_ID = 2n ** 64n - 1n;
const OLD_MS = 3_600_000;
/** A writer of JSON would order the keys, shorten the number or escape the letter. */
const UNUSUAL = new RawJson('{"sample":true,"2":"é","1":1.10}');

/** The case without which no other one means anything; the first one. */
const SIGNED: ExamCase = {
  name: 'signed',
  sent: 'A deposit.test event with the right signatures.',
  expected: 'accepted',
  mend: 'Use the signing secret of this endpoint, and compute the signature over the bytes that arrived: for X-Svc-Signature with the secret as text, for webhook-signature with the bytes that its base64 means. Then answer 2xx. If all of this is right, check the clock of the receiver.',
  requests: (signer, now) => [signed(signer, now)],
};

const TAKEN: ExamCase[] = [
  {
    name: 'repeated',
    sent: 'The same event twice: the same webhook-id, the same bytes.',
    expected: 'accepted',
    mend: 'Answer 2xx to an event that you have handled before. With any other answer the service sends it again and again.',
    requests(signer, now) {
      const request = signed(signer, now);
      return [request, request];
    },
  },
  {
    name: 'another_sequence',
    sent: 'The same event twice, with another webhook-sequence the second time.',
    expected: 'accepted',
    mend: 'Recognize an event by its webhook-id. No signature covers webhook-sequence: anybody who has seen a delivery can change it.',
    requests(signer, now) {
      const request = signed(signer, now);
      return [request, withSequence(request, signer.nextSequence())];
    },
  },
  {
    name: 'another_order',
    sent: 'Two events; the second has the webhook-sequence before that of the first.',
    expected: 'accepted',
    mend: 'Handle deliveries in the order in which they come, whatever their webhook-sequence: one that has failed comes again after later ones. What your receiver has skipped after this exam, a replay sends again.',
    requests(signer, now) {
      const earlier = signer.nextSequence();
      return [signed(signer, now), withSequence(signed(signer, now), earlier)];
    },
  },
  {
    name: 'rotation',
    sent: 'Two events with two entries in webhook-signature, as while a secret replaces another: the right one is the second, then the first.',
    expected: 'accepted',
    mend: 'Accept a delivery when one of the entries in webhook-signature is right. X-Svc-Signature has no second one: a receiver that demands it loses deliveries after a rotation.',
    requests(signer, now) {
      const { current, old } = signer.keys;
      const other = signingKeys(newSigningSecret());
      return [
        signed({ ...signer, keys: { current: other, old: [current, ...old] } }, now),
        signed({ ...signer, keys: { current, old: [other, ...old] } }, now),
      ];
    },
  },
  {
    name: 'in_pieces',
    sent: 'A body that arrives in two pieces, with a pause between them.',
    expected: 'accepted',
    mend: 'Read the whole body before you check its signature.',
    requests: (signer, now) => [{ ...signed(signer, now), in_pieces: true }],
  },
  {
    name: 'large_integers',
    sent: `A deposit.test event with amount_stroops ${LARGEST_AMOUNT} and memo_id ${LARGEST_MEMO_ID}.`,
    expected: 'accepted',
    mend: 'Check the signature over the bytes that arrived, never over JSON that you have parsed and written again. Read amounts as 64-bit integers, and memo ids as 64-bit integers without a sign.',
    requests: (signer, now) => [
      signed(signer, now, { amount_stroops: LARGEST_AMOUNT, memo_id: LARGEST_MEMO_ID }),
    ],
  },
  {
    name: 'exact_bytes',
    sent: `A deposit.test event with the metadata ${UNUSUAL.text}, which few programs would write so.`,
    expected: 'accepted',
    mend: 'Check the signature over the bytes that arrived, never over JSON that you have parsed and written again: frameworks that parse the body first have a way to its bytes.',
    requests: (signer, now) => [signed(signer, now, { metadata: UNUSUAL })],
  },
  {
    name: 'unknown_event',
    sent: 'An event with a type that nobody knows, unknown.test, and the data of a deposit.',
    expected: 'accepted',
    mend: 'Answer 2xx to a type that you do not know, and do nothing else. Later versions of the service may have new types.',
    requests: (signer, now) => [
      signedBody(signer, now, bodyOf('unknown.test', signer.deposit(now.toISOString()))),
    ],
  },
  {
    name: 'unknown_field',
    sent: 'A deposit.test event with a field that no deposit has.',
    expected: 'accepted',
    mend: 'Ignore fields that you do not know. Later versions of the service may add some.',
    requests: (signer, now) => [signed(signer, now, { unknown_sample: { added: 'later' } })],
  },
];

const FORGED: ExamCase[] = [
  {
    name: 'wrong_signature',
    sent: 'Signatures of another secret.',
    expected: 'refused',
    mend: 'Compute the signature with your own signing secret, compare it with the header, and answer 401 when they differ.',
    requests(signer, now) {
      const keys = { current: signingKeys(newSigningSecret()), old: [] };
      return [signed({ ...signer, keys }, now)];
    },
  },
  {
    name: 'altered_body',
    sent: 'A body whose amount was changed after it was signed.',
    expected: 'refused',
    mend: 'Compute the signature over the body of this request, and answer 401 when it differs from the header.',
    requests(signer, now) {
      const body = depositBody(signer, now, { amount_stroops: 90_000_000n });
      return [{ ...signed(signer, now), body }];
    },
  },
  {
    name: 'without_signatures',
    sent: 'A request without X-Svc-Signature, webhook-id, webhook-timestamp and webhook-signature.',
    expected: 'refused',
    mend: 'Refuse every request without signatures, with 401. Anybody can send one.',
    requests: (signer, now) => [
      withoutHeaders(signed(signer, now), [
        'X-Svc-Signature',
        'webhook-id',
        'webhook-timestamp',
        'webhook-signature',
      ]),
    ],
  },
  {
    name: 'malformed_signatures',
    sent: 'Signature headers of wrong length, with characters that no signature has.',
    expected: 'refused',
    mend: 'Answer 401 to headers of any form. Many functions that compare in constant time throw an error for texts of different length.',
    requests: (signer, now) => [
      withHeaders(signed(signer, now), { 'X-Svc-Signature': 'é', 'webhook-signature': 'v1,é v1 zzz' }),
    ],
  },
  {
    name: 'without_timestamp',
    sent: 'Right signatures, without webhook-timestamp.',
    expected: 'refused',
    mend: 'Refuse a request without webhook-timestamp. In many languages a missing number compares as neither old nor new.',
    requests: (signer, now) => [withoutHeaders(signed(signer, now), ['webhook-timestamp'])],
  },
  {
    name: 'old_timestamp',
    sent: 'A request that was signed one hour ago, with the right signatures of that time.',
    expected: 'refused',
    mend: 'Refuse a webhook-timestamp that is more than five minutes off, and check webhook-signature, which covers the time. Also check the clock of the receiver.',
    requests: (signer, now) => [signed(signer, hourBefore(now))],
  },
  {
    name: 'renewed_timestamp',
    sent: 'A request that was signed one hour ago, with webhook-timestamp changed to now.',
    expected: 'refused',
    mend: 'Check webhook-signature. It covers webhook-id and the time; X-Svc-Signature covers the body only, so an old request can pass for a new one.',
    requests(signer, now) {
      const { headers } = signed(signer, now);
      const time = headers['webhook-timestamp'] ?? '';
      return [withHeaders(signed(signer, hourBefore(now)), { 'webhook-timestamp': time })];
    },
  },
];

/** Says whether a right receiver handles the events of this case. What it does with a type that it does not know is its own affair. */
export const isToBeHandled = ({ name, expected }: ExamCase) =>
  expected === 'accepted' && name !== 'unknown_event';

/** In the order in which they are sent. */
export const CASES: readonly ExamCase[] = [SIGNED, ...TAKEN, ...FORGED];

function signed(signer: Signer, now: Date, more: object = {}): ExamRequest {
  return signedBody(signer, now, depositBody(signer, now, more));
}

function signedBody({ keys, nextSequence }: Signer, now: Date, body: Buffer): ExamRequest {
  const event_id = newId('evt', now);
  const headers = headersSignedBy(keys, { event_id, sequence: nextSequence(), body }, now);
  return { event_id, headers, body, in_pieces: false };
}

function depositBody({ deposit }: Signer, now: Date, more: object): Buffer {
  return bodyOf('deposit.test', { ...deposit(now.toISOString()), ...more });
}

function bodyOf(event: `${string}.test`, data: object): Buffer {
  return Buffer.from(stringify({ event, data }));
}

function withSequence(request: ExamRequest, sequence: bigint): ExamRequest {
  return withHeaders(request, { 'webhook-sequence': String(sequence) });
}

function withHeaders(request: ExamRequest, headers: Record<string, string>): ExamRequest {
  return { ...request, headers: { ...request.headers, ...headers } };
}

function withoutHeaders(request: ExamRequest, names: string[]): ExamRequest {
  const kept = Object.entries(request.headers).filter(([name]) => !names.includes(name));
  return { ...request, headers: Object.fromEntries(kept) };
}

function hourBefore(now: Date): Date {
  return new Date(now.getTime() - OLD_MS);
}
