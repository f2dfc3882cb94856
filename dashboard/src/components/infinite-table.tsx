import './infinite-table.css';
import { Affix, Button, Loader, type MantineBreakpoint, Skeleton, Stack, Table, Text } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import {
  defaultRangeExtractor,
  measureElement,
  type Range,
  useWindowVirtualizer,
} from '@tanstack/react-virtual';
import {
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { ErrorAlert } from './error-alert.tsx';
import { ReadBefore } from './read-before.tsx';
import { useStandingError } from './standing-error.ts';
import { type InfiniteList, useInfiniteList } from './use-infinite-list.ts';

export type Column<Row> = {
  title: string;
  cell: (row: Row) => ReactNode;
  /** In px. Columns without a width share the rest. */
  width?: number | { base: number; sm: number };
  align?: 'right';
  /** Hidden on narrower windows. */
  visibleFrom?: MantineBreakpoint;
};

type Props<Row> = InfiniteList<Row> & {
  /** Names the table for screen readers. */
  label: string;
  /** Must be a stable array: a new one renders all rows again. */
  columns: Column<Row>[];
  empty: ReactNode;
  /** Which rows to hide. Must be a stable function. */
  hidden?: (row: Row) => boolean;
};

/** Until the first row is measured. */
const ROW_HEIGHT_PX = 57;
const READ_ON_BEFORE_ROWS = 40;

/**
 * A table of any length that scrolls with the window and renders only rows in view. Older rows load near its end; new
 * rows appear only while the first row is in view. Buttons beside a `row-link` need the class `above-row-link`.
 */
export function InfiniteTable<Row extends { id: string }>(props: Props<Row>) {
  const { queryKey, fetchPage, hidden, empty } = props;
  const [live, setLive] = useState(true);
  const { query, hasOlder, older, loadOlder } = useInfiniteList({ queryKey, fetchPage }, live);
  const rows = useShown(query.data?.items, hidden);
  const retry = () => void query.refetch();

  const error = useStandingError(query);
  // Rows of another filter are no content of this one.
  if (query.data === undefined || (error && query.isPlaceholderData))
    return error ? <ErrorAlert error={error} retry={retry} /> : <LoadingRows />;
  return (
    <>
      {error && <ReadBefore error={error} at={query.dataUpdatedAt} retry={retry} />}
      {rows.length === 0 && !hasOlder ? (
        empty
      ) : (
        <Rows
          {...props}
          rows={rows}
          hasOlder={hasOlder}
          live={live}
          onLive={setLive}
          {...{ loadOlder }}
          stopped={older.isError}
          outdated={query.isPlaceholderData}
        />
      )}
      {older.isError && <ErrorAlert error={older.error} retry={loadOlder} />}
      {older.isPending && <Loader size="sm" mx="auto" role="status" aria-label="Loading older rows" />}
    </>
  );
}

const NO_ROWS: never[] = [];

function useShown<Row>(items: Row[] = NO_ROWS, hidden?: (row: Row) => boolean): Row[] {
  return useMemo(() => (hidden ? items.filter((row) => !hidden(row)) : items), [items, hidden]);
}

type RowsProps<Row> = Props<Row> & {
  rows: Row[];
  hasOlder: boolean;
  live: boolean;
  onLive: (live: boolean) => void;
  loadOlder: () => void;
  /** The last load of older rows failed: only the user starts the next. */
  stopped: boolean;
  /** The rows belong to the previous query until the response arrives. */
  outdated: boolean;
};

function Rows<Row extends { id: string }>(props: RowsProps<Row>) {
  const { label, columns, rows, hasOlder, live, onLive, loadOlder, stopped, outdated } = props;
  const table = useRef<HTMLTableElement>(null);
  const row_height = useRef<number>(null);
  const in_view = useRef<InView>(null);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    // The first row's height, for good. A wrong estimate makes the virtualizer compute all later rows again, and a
    // new estimate for unseen rows above would move the rows in view.
    estimateSize: () => row_height.current ?? ROW_HEIGHT_PX,
    measureElement: (...row) => {
      const height = measureElement(...row);
      row_height.current ??= height;
      return height;
    },
    overscan: 8,
    rangeExtractor: (range) =>
      defaultRangeExtractor(isElsewhere(range, in_view.current) ? { ...range, overscan: 0 } : range),
    // A new function would make the virtualizer compute all rows again at every scroll step.
    getItemKey: useCallback((index: number) => rows[index]?.id ?? index, [rows]),
    scrollMargin: useTopOf(table),
  });
  const on_paper = usePrinting();
  const items = on_paper ? allOf(rows) : virtualizer.getVirtualItems();
  useLayoutEffect(() => {
    in_view.current = virtualizer.range;
  });
  const first_in_view = virtualizer.range?.startIndex ?? 0;
  const last_rendered = items.at(-1)?.index ?? 0;
  const nearEnd = hasOlder && !stopped && !on_paper && last_rendered >= rows.length - READ_ON_BEFORE_ROWS;

  useEffect(() => onLive(first_in_view === 0), [first_in_view, onLive]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each number of rows
  useEffect(() => {
    if (nearEnd) loadOlder();
  }, [nearEnd, rows.length, hasOlder]);

  function backToNewest() {
    window.scrollTo({ top: 0 });
    table.current?.focus({ preventScroll: true });
  }

  return (
    <>
      <Table
        ref={table}
        className="infinite-table"
        layout="fixed"
        highlightOnHover
        stickyHeader
        stickyHeaderOffset="var(--app-shell-header-height, 0px)"
        verticalSpacing="sm"
        tabIndex={-1}
        opacity={outdated ? 0.5 : 1}
        aria-busy={outdated}
        aria-label={label}
        aria-rowcount={hasOlder ? -1 : rows.length + 1}
      >
        <Table.Thead>
          <Table.Tr aria-rowindex={1}>
            {columns.map(({ title, width, align, visibleFrom }) => (
              <Table.Th key={title} scope="col" {...shown({ width, align, visibleFrom })}>
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {!on_paper && <Spacer height={(items[0]?.start ?? 0) - virtualizer.options.scrollMargin} />}
          {items.map(({ index }) => {
            const row = rows[index];
            return (
              row && (
                <InfiniteRow key={row.id} {...{ row, index, columns }} measure={virtualizer.measureElement} />
              )
            );
          })}
          {!on_paper && (
            <Spacer
              height={
                virtualizer.getTotalSize() + virtualizer.options.scrollMargin - (items.at(-1)?.end ?? 0)
              }
            />
          )}
        </Table.Tbody>
      </Table>
      {on_paper && hasOlder && (
        <Text size="sm">The newest {rows.length} rows. Older rows are not printed.</Text>
      )}
      {!live && (
        // Over the headings, where it hides no amount.
        <Affix className="newest-rows" position={{ top: 'calc(var(--app-shell-header-height, 0px) + 4px)' }}>
          <Button size="sm" leftSection={<IconArrowUp size={16} />} onClick={backToNewest}>
            Back to the newest rows
          </Button>
        </Affix>
      )}
    </>
  );
}

/** Paper shows every loaded row. The window goes on with the rows in view. */
function allOf(rows: unknown[]) {
  return rows.map((_, index) => ({ index, start: 0, end: 0 }));
}

/** Returns whether the page is being printed. It renders at once, because the browser takes the page when its event is over. */
function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    const begin = () => flushSync(() => setPrinting(true));
    const end = () => setPrinting(false);
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, []);
  return printing;
}

type InView = Pick<Range, 'startIndex' | 'endIndex'>;

/**
 * Whether no row of the last view is still in view, as while the scroll bar is dragged. Rows outside the view are
 * then not rendered: they would double the work unseen. They follow when the scrolling stops.
 */
function isElsewhere(range: InView, before: InView | null): boolean {
  return before !== null && (range.startIndex > before.endIndex || range.endIndex < before.startIndex);
}

type RowProps<Row> = {
  row: Row;
  index: number;
  columns: Column<Row>[];
  measure: (element: HTMLTableRowElement | null) => void;
};

/** Rendered once: a scroll step renders only the rows that come into view. */
const InfiniteRow = memo(RenderedRow) as typeof RenderedRow;

function RenderedRow<Row>({ row, index, columns, measure }: RowProps<Row>) {
  return (
    <Table.Tr ref={measure} data-index={index} aria-rowindex={index + 2}>
      {columns.map(({ title, cell, align, visibleFrom }) => (
        // The heading sets the width. A width here would add a style element to each row.
        <Table.Td key={title} {...shown({ width: undefined, align, visibleFrom })}>
          {cell(row)}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

type Shown = { [Name in 'width' | 'align' | 'visibleFrom']: Column<unknown>[Name] | undefined };

function shown({ width, align, visibleFrom }: Shown) {
  return {
    ...(width === undefined ? {} : { w: width }),
    ...(align ? { ta: align } : {}),
    ...(visibleFrom ? { visibleFrom } : {}),
  };
}

/** Takes the height of the rows that are not rendered. One cell only: more would add columns on a phone. */
function Spacer({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <Table.Tr className="spacer" aria-hidden="true">
      <Table.Td h={height} />
    </Table.Tr>
  );
}

/** The position of the first row in the document, in px. It changes with the content above. */
function useTopOf(table: RefObject<HTMLTableElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      const body = table.current?.tBodies[0];
      if (body) setTop(Math.round(body.getBoundingClientRect().top + window.scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [table]);
  return top;
}

function LoadingRows() {
  return (
    <Stack gap="md" role="status" aria-label="Loading">
      {[1, 2, 3, 4, 5, 6].map((line) => (
        <Skeleton key={line} height={40} radius="sm" />
      ))}
    </Stack>
  );
}
