/** A list of objects as a table. */
import { memo, useDeferredValue, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { Button, UnstyledButton } from '@mantine/core';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { csvRow, type CsvField } from '#contract/core/csv.ts';
import { saveFile } from '../../files/saveFile.ts';
import { formatBytes, formatCount } from '../../text/format.ts';
import { useOutputFrame } from '../frame.ts';
import { kindOf, membersOf, stringOf } from '../jsonNode.ts';
import { readMedia } from '../media.ts';
import type { PartProps } from '../partProps.ts';
import styles from './table.module.css';
import TreePart from './TreePart.tsx';
import { counted, t } from '../../../language/text.ts';

/** Rows that are drawn in the first frame: more than a screen has room for. The others follow, and delay no input. */
const SCREEN_ROWS = 50;
/** Rows that are shown at first. */
const FIRST_ROWS = 200;
/** Of a table that grows, as many newest ones. */
const NEWEST_ROWS = 100;
/** Rows that each click on "Show more" adds. */
const MORE_ROWS = 1000;
const CELL_CHARS = 300;
/** Digits of a rounded fraction; three of them stand behind the point if many stand before it. */
const DIGITS = 6;

type Row = ReadonlyMap<string, string>;

const rowOf = (item: string): Row => new Map(membersOf(item).map(({ name, text }) => [String(name), text]));

export default function TablePart({ part, live }: PartProps<'table'>) {
  const { text, items, columns, name, isCut = false, isStream = false } = part;
  const { fileName, hasSave } = useOutputFrame();
  const [isOpen, setIsOpen] = useState(true);
  const [asTree, setAsTree] = useState(false);
  // Who saw the rows come goes on at the newest ones.
  const [showsEnd] = useState(isStream && live);
  const [shown, setShown] = useState(showsEnd ? NEWEST_ROWS : FIRST_ROWS);
  const from = showsEnd ? Math.max(0, items.length - shown) : 0;
  const rows = useMemo(() => items.slice(from, from + shown).map(rowOf), [items, from, shown]);
  const drawn = useDeferredValue(shown, showsEnd ? shown : SCREEN_ROWS);
  const frame = useRef<HTMLDivElement>(null);
  const fits = useFits(frame, columns);
  const numeric = new Set(
    columns.filter((column) => rows.every((row) => ['number', undefined].includes(kindIn(row, column)))),
  );
  const saveCsv = () => {
    const lines = items.map((item) => {
      const row = rowOf(item);
      return csvRow(columns.map((column) => fieldOf(row.get(column))));
    });
    saveFile(
      new Blob([csvRow(columns), ...lines], { type: 'text/csv' }),
      name === null ? `${fileName}.csv` : `${fileName} ${name}.csv`,
    );
  };
  return (
    <div>
      <div className={styles.bar}>
        {name !== null && (
          <UnstyledButton className={styles.name} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? <ChevronDown size={13} aria-hidden /> : <ChevronRight size={13} aria-hidden />}
            <code>{name}</code>
          </UnstyledButton>
        )}
        <strong>
          {(live && !isStream) || isCut
            ? t`The first ${formatCount(items.length)} rows`
            : counted(items.length, '1 row', '{0} rows', formatCount(items.length))}
        </strong>
        <span>{counted(columns.length, '1 column', '{0} columns')}</span>
        <span className={styles.actions}>
          {text !== null && (
            <Button size="xs" variant="subtle" aria-pressed={asTree} onClick={() => setAsTree(!asTree)}>
              {asTree ? t`Show as table` : t`Show as JSON`}
            </Button>
          )}
          {!live && hasSave && <Button size="xs" variant="subtle" onClick={saveCsv}>{t`Save as CSV`}</Button>}
        </span>
      </div>
      {from > 0 && !asTree && <MoreRows count={items.length} isBefore onClick={() => setShown(shown + MORE_ROWS)} />}
      {!isOpen ? null : asTree && text !== null ? (
        <TreePart part={{ kind: 'tree', text, hasMedia: false }} live={false} />
      ) : (
        <div
          ref={frame}
          className={styles.frame}
          data-fits={fits || undefined}
          tabIndex={0}
          role="region"
          aria-label={labelOf(name, text !== null || isStream)}
        >
          <table>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col" data-kind={numeric.has(column) ? 'number' : undefined}>
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {items.slice(from, from + Math.min(shown, drawn)).map((item, index) => (
                <TableRow key={from + index} item={item} columns={columns} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {isOpen && !asTree && !live && !showsEnd && items.length > shown && (
        <MoreRows count={items.length} onClick={() => setShown(shown + MORE_ROWS)} />
      )}
    </div>
  );
}

/**
 * Whether a table has all its columns in sight. Then its frame need not scroll, and its head stays at the top of the view
 * around it: within what scrolls sideways, it could only stay at the top of that.
 */
function useFits(frame: RefObject<HTMLElement | null>, columns: readonly string[]): boolean {
  const [fits, setFits] = useState(false);
  useLayoutEffect(() => {
    const place = frame.current;
    const table = place?.firstElementChild;
    if (!place || !table) return;
    const measure = () => setFits(table.scrollWidth <= place.clientWidth);
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(place);
    sizes.observe(table);
    return () => sizes.disconnect();
  }, [frame, columns]);
  return fits;
}

interface MoreRowsProps {
  /** Of the whole table. */
  count: number;
  /** Whether the rows stand before those that are shown. */
  isBefore?: boolean;
  onClick: () => void;
}

function MoreRows({ count, isBefore = false, onClick }: MoreRowsProps) {
  return (
    <Button mt={isBefore ? 0 : 8} mb={isBefore ? 8 : 0} size="xs" variant="default" onClick={onClick}>
      {isBefore
        ? t`Show earlier ones of the ${formatCount(count)} rows`
        : t`Show more of the ${formatCount(count)} rows`}
    </Button>
  );
}

function labelOf(name: string | null, isOutput: boolean): string {
  if (name !== null) return t`Table of ${name}`;
  return isOutput ? t`Table of the output` : t`Table of the file`;
}

const kindIn = (row: Row, column: string) => {
  const text = row.get(column);
  return text === undefined || text === 'null' ? undefined : kindOf(text);
};

/** The text of a cell. Media appear as type and size, because a table with a thousand pictures could not be read. */
function cellText(name: string, text: string): string {
  const value = stringOf(text);
  const media = value === null ? null : readMedia(value, name);
  if (media?.sizeBytes != null) return `${media.type.mime} · ${formatBytes(media.sizeBytes)}`;
  return value ?? text;
}

/** Rows that stay are not drawn again for each row that comes. */
const TableRow = memo(({ item, columns }: { item: string; columns: readonly string[] }) => {
  const row = rowOf(item);
  return (
    <tr>
      {columns.map((column) => (
        <Cell key={column} name={column} text={row.get(column)} />
      ))}
    </tr>
  );
});

function Cell({ name, text }: { name: string; text: string | undefined }) {
  if (text === undefined || text === 'null') return <td />;
  const words = cellText(name, text).slice(0, CELL_CHARS);
  const shown = kindOf(text) === 'number' ? shortNumber(text) : words;
  return (
    <td data-kind={kindOf(text)} title={words.length > 40 || shown !== words ? words : undefined}>
      {shown}
    </td>
  );
}

/** A fraction of many digits is rounded, to be compared with others: "94.19999999999999" is "94.2". */
function shortNumber(text: string): string {
  const whole = /^-?(\d{1,12})\.\d{7,}$/.exec(text)?.[1];
  return whole === undefined ? text : String(Number(Number(text).toPrecision(Math.max(DIGITS, whole.length + 3))));
}

function fieldOf(text: string | undefined): CsvField {
  if (text === undefined || text === 'null') return null;
  return kindOf(text) === 'number' ? { json: text } : (stringOf(text) ?? text);
}
