/** What a tar archive has, noted while it passes by. */
import { createHash } from 'node:crypto';
import { Parser } from 'tar';
import type { FoundFile } from './manifest.ts';

/** `write` takes the bytes of the archive in order; `files` has those that are complete. */
export type TarEntries = { write(chunk: Buffer): void; end(): Map<string, FoundFile> };

/** @throws Error from `write` or `end` when the bytes are no tar archive */
export function tarEntries(): TarEntries {
  const files = new Map<string, FoundFile>();
  const parser = new Parser({
    strict: true,
    onReadEntry(entry) {
      const hash = createHash('sha256');
      let bytes = 0;
      entry.on('data', (chunk: Buffer) => {
        hash.update(chunk);
        bytes += chunk.length;
      });
      entry.on('end', () => {
        if (entry.type === 'File') files.set(entry.path, { bytes, sha256: hash.digest('hex') });
      });
    },
  });
  let failure: Error | null = null;
  parser.on('error', (error: Error) => {
    failure ??= error;
  });
  const orThrow = () => {
    if (failure) throw failure;
  };
  return {
    write(chunk) {
      parser.write(chunk);
      orThrow();
    },
    end() {
      parser.end();
      orThrow();
      return files;
    },
  };
}
