/** Searches the memory of another process, as somebody with the rights of its user could. */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

export type Needle = { name: string; bytes: Buffer };
/** `isLocked`: libsodium’s memory, which is neither swapped nor dumped. */
export type Found = { name: string; isLocked: boolean };

const CHUNK_BYTES = 1 << 24;

/** Every place where a needle is. Linux only. */
export function searchMemory(pid: number, needles: Needle[]): Found[] {
  const found: Found[] = [];
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  const overlap = Math.max(...needles.map(({ bytes }) => bytes.length)) - 1;
  const chunk = Buffer.alloc(CHUNK_BYTES + overlap);
  for (const { start, end, isLocked } of regionsOf(pid)) {
    for (let at = start; at < end; at += CHUNK_BYTES) {
      const read = readOrNothing(memory, chunk, Math.min(chunk.length, end - at), at);
      const text = chunk.subarray(0, read);
      for (const { name, bytes } of needles)
        for (let place = text.indexOf(bytes); place >= 0; place = text.indexOf(bytes, place + 1))
          found.push({ name, isLocked });
    }
  }
  closeSync(memory);
  return found;
}

function regionsOf(pid: number): { start: number; end: number; isLocked: boolean }[] {
  const regions = readFileSync(`/proc/${pid}/smaps`, 'utf8').split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
  return regions.flatMap((region) => {
    const [, start, end, permissions] = /^([0-9a-f]+)-([0-9a-f]+) (\S+)/.exec(region) ?? [];
    // Writable regions only: a secret made at run time cannot be in any other. Beyond 2^53 there is no user memory.
    if (!start || !end || !permissions?.startsWith('rw')) return [];
    const flags = /^VmFlags: (.*)$/m.exec(region)?.[1]?.split(' ') ?? [];
    const isLocked = flags.includes('lo') && flags.includes('dd');
    return [{ start: Number.parseInt(start, 16), end: Number.parseInt(end, 16), isLocked }];
  });
}

/** Reserved and device regions cannot be read, and contain nothing. */
function readOrNothing(memory: number, chunk: Buffer, length: number, at: number): number {
  try {
    return readSync(memory, chunk, 0, length, at);
  } catch {
    return 0;
  }
}

/** A key of 32 bytes in every spelling that programs give it. */
export function spellingsOf(name: string, key: Buffer): Needle[] {
  const base64 = key.toString('base64');
  const texts = {
    base64: base64.replace(/=+$/, ''),
    base64url: key.toString('base64url'),
    hex: key.toString('hex'),
    HEX: key.toString('hex').toUpperCase(),
  };
  return [
    { name: `${name} raw`, bytes: key },
    ...Object.entries(texts).flatMap(([spelling, text]) => [
      { name: `${name} ${spelling}`, bytes: Buffer.from(text) },
      { name: `${name} ${spelling} in UTF-16`, bytes: Buffer.from(text, 'utf16le') },
    ]),
  ];
}
