/** Reads the records of a CSV (RFC 4180) in parts. Pure. */
import type { InParts } from '../../lib/in-parts.ts';

/** `line`: where the record ends, from 1 on. */
export type CsvRecord = { fields: string[]; line: number };

/** The text is no CSV, from `line` on. The message is for the caller. */
export class CsvError extends Error {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/** Longer than any row can be. A quote that is never closed would make the rest of the file one record. */
export const MOST_RECORD_CHARS = 4_096;
const CHARS_PER_PART = 32 * 1024;
/** Empty ones too: 8 MiB of line ends would take seconds. */
export const MOST_LINES = 100_000;

const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;

/**
 * Reads up to `most` records. What has nothing but spaces in its fields is no record: a spreadsheet writes lines of nothing but
 * separators below the last row. The generator throws CsvError.
 */
export function* readRecords(text: string, delimiter: string, most: number): InParts<CsvRecord[]> {
  const reader = createReader(text, delimiter.charCodeAt(0));
  const records: CsvRecord[] = [];
  let pause_at = CHARS_PER_PART;
  while (!reader.isAtEnd() && records.length < most) {
    if (reader.at() >= pause_at) {
      yield;
      pause_at = reader.at() + CHARS_PER_PART;
    }
    const record = reader.next();
    if (record.line > MOST_LINES)
      throw new CsvError(`the file has more than ${MOST_LINES} lines`, record.line);
    if (record.fields.some((field) => field.trim() !== '')) records.push(record);
  }
  return records;
}

function createReader(text: string, delimiter: number) {
  let at = text.startsWith('\ufeff') ? 1 : 0;
  let line = 1;
  let record_start = at;

  function next(): CsvRecord {
    record_start = at;
    const fields: string[] = [];
    for (;;) {
      fields.push(text.charCodeAt(at) === QUOTE ? quotedField() : plainField());
      if (text.charCodeAt(at) !== delimiter) break;
      at++;
      requireShort(line);
    }
    const record = { fields, line };
    if (skipLineEnd()) line++;
    return record;
  }

  function plainField(): string {
    const start = at;
    for (; !isEndOfField(); at++) {
      requireShort(line);
      if (text.charCodeAt(at) === QUOTE)
        throw new CsvError('a quote is in a field that does not begin with one', line);
    }
    return text.slice(start, at);
  }

  function quotedField(): string {
    const start = ++at;
    const first_line = line;
    for (;;) {
      if (at >= text.length) throw new CsvError('a quote is never closed', first_line);
      requireShort(first_line);
      if (skipLineEnd()) line++;
      else if (text.charCodeAt(at) !== QUOTE) at++;
      else if (text.charCodeAt(at + 1) === QUOTE) at += 2;
      else break;
    }
    const field = text.slice(start, at++).replaceAll('""', '"');
    if (!isEndOfField())
      throw new CsvError('behind a quote that ends a field comes neither a separator nor a line end', line);
    return field;
  }

  function isEndOfField(): boolean {
    if (at >= text.length) return true;
    const code = text.charCodeAt(at);
    return code === delimiter || code === LF || code === CR;
  }

  /** Skips one line end; CR LF is one. Returns false when no line end is here. */
  function skipLineEnd(): boolean {
    const code = text.charCodeAt(at);
    if (code !== LF && code !== CR) return false;
    at += code === CR && text.charCodeAt(at + 1) === LF ? 2 : 1;
    return true;
  }

  function requireShort(first_line: number): void {
    if (at - record_start >= MOST_RECORD_CHARS)
      throw new CsvError(
        `a row has more than ${MOST_RECORD_CHARS} characters, or a quote is never closed`,
        first_line,
      );
  }

  return { at: () => at, isAtEnd: () => at >= text.length, next };
}
