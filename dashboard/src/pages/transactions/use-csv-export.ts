/** Reads all transactions of a list, page by page, and saves them as one file. */
import { useEffect, useRef, useState } from 'react';
import { api } from '../../api/client.ts';
import type { QueryOf } from '../../api/operations.ts';
import { saveFile } from '../../components/save-file.ts';
import { CSV_HEAD, csvLines } from './csv.ts';

export type ExportState = {
  state: 'idle' | 'reading' | 'stopped' | 'saved';
  rows: number;
  error: Error | null;
};

type ExportRequest = { walletId: string; query: QueryOf<'listTransactions'> };
/** The data read so far, from which an interrupted export continues. */
type ExportProgress = { request: ExportRequest; parts: string[]; rows: number; cursor: string | null };

const NOTHING: ExportState = { state: 'idle', rows: 0, error: null };

export function useExport() {
  const [shown, setShown] = useState<ExportState>(NOTHING);
  const abort = useRef<AbortController>(null);
  const progress = useRef<ExportProgress>(null);
  useEffect(() => () => abort.current?.abort(), []);

  async function continueFrom(from: ExportProgress) {
    const controller = new AbortController();
    abort.current = controller;
    progress.current = from;
    try {
      do {
        setShown({ state: 'reading', rows: from.rows, error: null });
        await readPage(from, controller.signal);
      } while (from.cursor !== null);
      save(from.parts);
      setShown({ state: 'saved', rows: from.rows, error: null });
    } catch (error) {
      if (!controller.signal.aborted) setShown({ state: 'stopped', rows: from.rows, error: error as Error });
    }
  }

  return {
    ...shown,
    start: (request: ExportRequest) =>
      void continueFrom({ request, parts: [CSV_HEAD], rows: 0, cursor: null }),
    goOn: () => progress.current && void continueFrom(progress.current),
    close: () => {
      abort.current?.abort();
      progress.current = null;
      setShown(NOTHING);
    },
  };
}

async function readPage(progress: ExportProgress, signal: AbortSignal): Promise<void> {
  const { request, cursor } = progress;
  const query = { ...request.query, limit: 200, ...(cursor ? { cursor } : {}) };
  const page = await api('listTransactions', { id: request.walletId, query, signal });
  signal.throwIfAborted();
  progress.parts.push(csvLines(page.items));
  progress.rows += page.items.length;
  progress.cursor = page.next_cursor;
}

function save(parts: string[]): void {
  const name = `transactions-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}Z.csv`;
  saveFile(name, new Blob(parts, { type: 'text/csv;charset=utf-8' }));
}
