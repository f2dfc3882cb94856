/** Looks at an archive of the log before a restore: PostgreSQL takes a gap for the end of the log, and says nothing. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { OperatorError } from '../../lib/errors.ts';
import { exists } from '../server/binaries.ts';
import { identifierOfSegment, recordedIdentifier, SEGMENT } from './archive-identity.ts';
import type { Description } from './description.ts';

const NAME_LENGTH = 24;
const HISTORY = /^([0-9A-F]{8})\.history(\.gz)?$/;
/** Of 16 MiB, which initdb gives a cluster. */
const SEGMENT_BITS = 24n;
const SEGMENTS_IN_FILE_NUMBER = 256n;

/** The segments from one number to another; `to` null: to the last one that is there. */
type Span = { timeline: number; from: bigint; to: bigint | null };

/** Files of an archive that a recovery reads. `timeline`: the one that it follows. */
export type ArchivePart = { dir: string; names: string[]; timeline: number };

/**
 * Finds the part of the archive in `dir` that goes on from the backup, and checks that it is whole. `asked`: the timeline; null for
 * the newest one that has segments. Each restore begins a timeline, and its service archives the name of it before any segment.
 * @throws OperatorError when it cannot be read, belongs to another database, has nothing after the backup, or lacks a segment
 */
export async function archiveAfter(
  dir: string,
  backup: Description,
  asked: number | null,
): Promise<ArchivePart> {
  const names = await namesIn(dir);
  const segments = new Map(
    names.filter((name) => SEGMENT.test(name)).map((name) => [name.slice(0, NAME_LENGTH), name]),
  );
  const hasSegments = (each: number) => [...segments.keys()].some((name) => timelineOf(name) === each);
  const timeline = asked ?? Math.max(backup.timeline, ...timelinesOf(names).filter(hasSegments));
  if (asked !== null && !hasSegments(asked))
    throw new OperatorError(
      `The archive ${dir} has no segment of timeline ${asked}. Name another one: --timeline. Nothing was restored.`,
    );
  const spans = await spansAfter(dir, names, backup, timeline);
  const needed = spans.flatMap((span) => segmentsOf(span, segments));
  const there = needed.map((name) => segments.get(name)).filter((name) => name !== undefined);
  if (there.length === 0)
    throw new OperatorError(`The archive ${dir} has nothing after this backup. Nothing was restored.`);
  requireSame(backup, await recordedIdentifier(dir), `The archive ${dir}`);
  // PostgreSQL takes a segment of another database for the end of the log.
  for (const path of there.map((name) => join(dir, name)))
    requireSame(backup, await identifierOfSegment(path), path);
  const missing = needed.find((name) => !segments.has(name));
  if (missing !== undefined)
    throw new OperatorError(
      `The archive ${dir} lacks the segment ${missing}, and has later ones. Nothing was restored.`,
    );
  return { dir, names: [...there, ...names.filter((name) => HISTORY.test(name))], timeline };
}

/** Tells a recovery which timelines are taken, and nothing else. Empty for an archive that is not there. */
export async function timelinesIn(dir: string | undefined, backup: Description): Promise<ArchivePart> {
  const { timeline } = backup;
  if (dir === undefined || !(await exists(dir))) return { dir: '', names: [], timeline };
  return { dir, timeline, names: (await namesIn(dir)).filter((name) => HISTORY.test(name)) };
}

async function namesIn(dir: string): Promise<string[]> {
  return readdir(dir).catch((error) => {
    throw new OperatorError(`The archive of the log cannot be read: ${error.message}. Nothing was restored.`);
  });
}

/** Returns the names of all segments of the span, those that are missing too. */
function segmentsOf({ timeline, from, to }: Span, segments: Map<string, string>): string[] {
  const there = [...segments.keys()].filter((name) => timelineOf(name) === timeline).map(numberOf);
  const last = to ?? there.reduce((most, number) => (number > most ? number : most), from);
  const names: string[] = [];
  for (let number = from; number <= last; number++) names.push(nameOf(timeline, number));
  return names;
}

function requireSame(backup: Description, found: string | null, what: string): void {
  if (found === null || found === backup.system_identifier) return;
  throw new OperatorError(
    `${what} belongs to another database (system identifier ${found}; the backup has ${backup.system_identifier}). Nothing was restored.`,
  );
}

function timelinesOf(names: string[]): number[] {
  return names.flatMap((name) => {
    const [, timeline] = HISTORY.exec(name) ?? [];
    return timeline === undefined ? [] : [Number.parseInt(timeline, 16)];
  });
}

/**
 * Finds which segments of which timeline a recovery reads on its way to `timeline`. The segment in which a timeline ends is under
 * the name of the next timeline too, with the same beginning.
 * @throws OperatorError when this timeline does not descend from that of the backup, after its end
 */
async function spansAfter(
  dir: string,
  names: string[],
  backup: Description,
  timeline: number,
): Promise<Span[]> {
  let from = lsnOf(backup.end_lsn) >> SEGMENT_BITS;
  if (timeline === backup.timeline) return [{ timeline, from, to: null }];
  const ancestors = await ancestorsOf(dir, names, timeline);
  const own = ancestors.find((each) => each.timeline === backup.timeline);
  if (own === undefined || own.end < lsnOf(backup.end_lsn))
    throw new OperatorError(
      `Timeline ${timeline} of the archive ${dir} does not go on from this backup, which is of timeline ${backup.timeline}. Name another one: --timeline. Nothing was restored.`,
    );
  const spans: Span[] = [];
  for (const ancestor of ancestors.filter((each) => each.timeline >= backup.timeline)) {
    const end = ancestor.end >> SEGMENT_BITS;
    spans.push({ timeline: ancestor.timeline, from, to: end - 1n });
    from = end;
  }
  return [...spans, { timeline, from, to: null }];
}

/**
 * Reads the timelines that a timeline descends from, oldest first, each with the position at which the next one begins.
 * @throws OperatorError when the archive has no history of the timeline
 */
async function ancestorsOf(
  dir: string,
  names: string[],
  timeline: number,
): Promise<{ timeline: number; end: bigint }[]> {
  const name = names.find((each) => timelinesOf([each]).includes(timeline));
  if (name === undefined)
    throw new OperatorError(`The archive ${dir} has no timeline ${timeline}. Nothing was restored.`);
  const bytes = await readFile(join(dir, name));
  const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  return [...text.matchAll(/^\s*(\d+)\s+([0-9A-F]+\/[0-9A-F]+)/gm)].map(([, number, lsn]) => ({
    timeline: Number(number),
    end: lsnOf(lsn ?? ''),
  }));
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
