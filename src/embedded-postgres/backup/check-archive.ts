/** Looks at an archive of the log before a restore: PostgreSQL takes a gap for the end of the log, and says nothing. */
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createGunzip, gunzipSync } from 'node:zlib';
import { OperatorError } from '../../errors.ts';
import { exists } from '../binaries.ts';
import type { Description } from './description.ts';
import { damaged } from './manifest.ts';

const SEGMENT = /^([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})(\.gz)?$/;
const NAME_LENGTH = 24;
const HISTORY = /^([0-9A-F]{8})\.history(\.gz)?$/;
/** Of 16 MiB, which initdb gives a cluster. */
const SEGMENT_BITS = 24n;
const SEGMENTS_IN_FILE_NUMBER = 256n;
/** The first page of a segment has the system identifier here (XLogLongPageHeaderData). */
const IDENTIFIER_OFFSET = 24;

/** The segments from one number to another; `to` null: to the last one that is there. */
type Span = { timeline: number; from: bigint; to: bigint | null };

/** Files of an archive that a recovery reads. */
export type ArchivePart = { dir: string; names: string[] };

/**
 * The part of the archive in `dir` that goes on from the backup, whole.
 * @throws OperatorError when it cannot be read, belongs to another database, has nothing after the backup, or lacks a segment
 */
export async function archiveAfter(dir: string, backup: Description): Promise<ArchivePart> {
  const names = await namesIn(dir);
  const segments = new Map(
    names.filter((name) => SEGMENT.test(name)).map((name) => [name.slice(0, NAME_LENGTH), name]),
  );
  const spans = await spansAfter(dir, names, backup);
  const needed = spans.flatMap((span) => segmentsOf(span, segments));
  const there = needed.map((name) => segments.get(name)).filter((name) => name !== undefined);
  const [first] = there;
  if (first === undefined)
    throw new OperatorError(`The archive ${dir} has nothing after this backup. Nothing was restored.`);
  const found = await identifierOf(join(dir, first));
  if (found !== backup.system_identifier)
    throw new OperatorError(
      `The archive ${dir} belongs to another database (system identifier ${found}; the backup has ${backup.system_identifier}). Nothing was restored.`,
    );
  const missing = needed.find((name) => !segments.has(name));
  if (missing !== undefined)
    throw new OperatorError(
      `The archive ${dir} lacks the segment ${missing}, and has later ones. Nothing was restored.`,
    );
  return { dir, names: [...there, ...names.filter((name) => HISTORY.test(name))] };
}

/** Tells a recovery which timelines are taken, and nothing else. Empty for an archive that is not there. */
export async function timelinesIn(dir: string | undefined): Promise<ArchivePart> {
  if (dir === undefined || !(await exists(dir))) return { dir: '', names: [] };
  return { dir, names: (await namesIn(dir)).filter((name) => HISTORY.test(name)) };
}

async function namesIn(dir: string): Promise<string[]> {
  return readdir(dir).catch((error) => {
    throw new OperatorError(`The archive of the log cannot be read: ${error.message}. Nothing was restored.`);
  });
}

/** The names of all segments of the span, there or not. */
function segmentsOf({ timeline, from, to }: Span, segments: Map<string, string>): string[] {
  const there = [...segments.keys()].filter((name) => timelineOf(name) === timeline).map(numberOf);
  const last = to ?? there.reduce((most, number) => (number > most ? number : most), from);
  const names: string[] = [];
  for (let number = from; number <= last; number++) names.push(nameOf(timeline, number));
  return names;
}

async function identifierOf(path: string): Promise<string> {
  const content = path.endsWith('.gz') ? createReadStream(path).pipe(createGunzip()) : createReadStream(path);
  try {
    for await (const chunk of content) return (chunk as Buffer).readBigUInt64LE(IDENTIFIER_OFFSET).toString();
  } catch (error) {
    throw damaged(`${path} cannot be read (${(error as Error).message})`, error);
  }
  throw damaged(`${path} is empty`);
}

/**
 * Which segments of which timeline a recovery reads: it follows the newest timeline that descends from that of the backup.
 * The last segment of a timeline that has ended may be under the next timeline only.
 */
async function spansAfter(dir: string, names: string[], backup: Description): Promise<Span[]> {
  const begin = lsnOf(backup.end_lsn) >> SEGMENT_BITS;
  const histories = names.flatMap((name) => {
    const [, timeline] = HISTORY.exec(name) ?? [];
    return timeline === undefined ? [] : [{ timeline: Number.parseInt(timeline, 16), name }];
  });
  const [newest] = histories
    .filter(({ timeline }) => timeline > backup.timeline)
    .toSorted((a, b) => b.timeline - a.timeline);
  if (newest === undefined) return [{ timeline: backup.timeline, from: begin, to: null }];
  const bytes = await readFile(join(dir, newest.name));
  const text = (newest.name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  const ends = [...text.matchAll(/^\s*(\d+)\s+([0-9A-F]+\/[0-9A-F]+)/gm)].map(([, timeline, lsn]) => ({
    timeline: Number(timeline),
    end: lsnOf(lsn ?? '') >> SEGMENT_BITS,
  }));
  const spans: Span[] = [];
  let from = begin;
  for (const { timeline, end } of ends.filter((each) => each.timeline >= backup.timeline)) {
    spans.push({ timeline, from, to: end - 1n });
    from = end > from ? end : from;
  }
  return [...spans, { timeline: newest.timeline, from, to: null }];
}

function lsnOf(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

function nameOf(timeline: number, number: bigint): string {
  const parts = [BigInt(timeline), number / SEGMENTS_IN_FILE_NUMBER, number % SEGMENTS_IN_FILE_NUMBER];
  return parts.map((part) => part.toString(16).toUpperCase().padStart(8, '0')).join('');
}

function timelineOf(name: string): number {
  return Number.parseInt(name.slice(0, 8), 16);
}

function numberOf(name: string): bigint {
  return BigInt(`0x${name.slice(8, 16)}`) * SEGMENTS_IN_FILE_NUMBER + BigInt(`0x${name.slice(16, 24)}`);
}
