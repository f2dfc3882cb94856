/** Pure: parses typed Stellar addresses. Source: SEP-23 (strkeys). */

export type StellarAddress = {
  /** G…: the account that is paid. Of a contract, plain or muxed: C…. */
  account: string;
  /** The id of an M… or W… address; null of a G… or C… address. */
  muxed_id: bigint | null;
  kind: 'account' | 'contract';
};

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** The first letter encodes the upper five bits of the version byte. */
const ACCOUNT = { letter: 'G', version: 6 << 3, length: 56 };
const CONTRACT = { letter: 'C', version: 2 << 3, length: 56 };
const MUXED = { letter: 'M', version: 12 << 3, length: 69 };
const MUXED_CONTRACT = { letter: 'W', version: 22 << 3, length: 69 };
const PUBLIC_KEY_BYTES = 32;
const CHECKSUM_BYTES = 2;

const OTHER_KINDS: Record<string, string | undefined> = {
  T: 'is a pre-authorised transaction (T…), not an account',
  X: 'is a hash signer (X…), not an account',
  P: 'is a signed-payload signer (P…), not an account',
  L: 'is a liquidity pool (L…), not an account',
  B: 'is a claimable balance (B…), not an account',
};

/** The account and id of a typed address; or its problem, to follow “The address”. Ignores surrounding spaces. */
export function readAddress(text: string): StellarAddress | { problem: string } {
  const typed = text.trim();
  if (typed === '') return { problem: 'is required' };
  if (isSecretSeed(typed))
    return {
      problem:
        'is a secret seed (S…): anyone who has it controls the account. It was neither stored nor sent. Paste the G… address instead',
    };
  if (typed.includes('*'))
    return {
      problem: 'is a federation address, which is not supported: ask for the G…, M…, C… or W… address',
    };
  const letter = typed.charAt(0);
  const form = [ACCOUNT, CONTRACT, MUXED, MUXED_CONTRACT].find((each) => each.letter === letter);
  if (!form) return { problem: OTHER_KINDS[letter] ?? 'must start with a capital G, M, C or W' };
  const { length, version } = form;
  const strange = [...typed].find((character) => !ALPHABET.includes(character));
  if (strange)
    return { problem: `contains “${strange}”: only capital letters and the digits 2 to 7 are allowed` };
  if (typed.length !== length) {
    const off = Math.abs(length - typed.length);
    return {
      problem: `must have ${length} characters: ${off} ${typed.length < length ? 'missing' : 'too many'}`,
    };
  }
  const bytes = decodeBase32(typed);
  const checked = bytes?.subarray(0, -CHECKSUM_BYTES);
  const [low, high] = bytes?.subarray(-CHECKSUM_BYTES) ?? [];
  if (!checked || checked[0] !== version || crc16(checked) !== (low ?? 0) + (high ?? 0) * 256)
    return { problem: 'is mistyped: its checksum does not match' };
  const public_key = checked.subarray(1, 1 + PUBLIC_KEY_BYTES);
  if (form === CONTRACT) return { account: typed, muxed_id: null, kind: 'contract' };
  if (form === ACCOUNT) return { account: typed, muxed_id: null, kind: 'account' };
  const id = new DataView(checked.buffer, checked.byteOffset + 1 + PUBLIC_KEY_BYTES).getBigUint64(0);
  return form === MUXED_CONTRACT
    ? { account: textOf(CONTRACT, public_key), muxed_id: id, kind: 'contract' }
    : { account: textOf(ACCOUNT, public_key), muxed_id: id, kind: 'account' };
}

/** Also true for a mistyped seed: it must not be stored either. */
export function isSecretSeed(text: string): boolean {
  return /^\s*S[A-Z2-7]{50,}\s*$/i.test(text);
}

/** G… or C… of a public key or a contract id. */
function textOf({ version }: typeof ACCOUNT, key: Uint8Array): string {
  const checked = new Uint8Array([version, ...key]);
  const sum = crc16(checked);
  return encodeBase32(new Uint8Array([...checked, sum % 256, sum >> 8]));
}

/** CRC16-XModem; a strkey ends with it, the low byte first. */
function crc16(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) sum = (sum & 0x8000 ? (sum << 1) ^ 0x1021 : sum << 1) & 0xffff;
  }
  return sum;
}

/** Null if leftover bits are not zero: two texts would be the same address (RFC 4648, SEP-23). */
function decodeBase32(text: string): Uint8Array | null {
  const bytes = new Uint8Array(Math.floor((text.length * 5) / 8));
  let held = 0;
  let bits = 0;
  let at = 0;
  for (const character of text) {
    held = (held << 5) | ALPHABET.indexOf(character);
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = held >> bits;
    held &= (1 << bits) - 1;
  }
  return held === 0 ? bytes : null;
}

/** For whole groups of five bytes, as in a G… or C… address. */
function encodeBase32(bytes: Uint8Array): string {
  let text = '';
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET.charAt(held >> bits);
      held &= (1 << bits) - 1;
    }
  }
  return text;
}
