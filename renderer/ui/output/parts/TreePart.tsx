/**
 * JSON as a tree. Arrows move and unfold, Enter unfolds or opens an address, Ctrl+C copies the value of the row. Closing
 * brackets have rows that the keys pass over. Only rows in sight have elements, and only what is unfolded is read.
 */
import { useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { ActionIcon, Tooltip } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronDown, ChevronRight, Copy, Route } from 'lucide-react';
import { copyText } from '../../clipboard/copyText.ts';
import { formatBytes, formatCount } from '../../text/format.ts';
import { useOutputFrame } from '../frame.ts';
import { isContainer, stringOf } from '../jsonNode.ts';
import type { PartProps } from '../partProps.ts';
import { copyTextOf, createTree, previewOf, ROW_CHARS, type TreeRow } from '../tree/treeRows.ts';
import styles from './tree.module.css';
import { t } from '../../../language/text.ts';

const ROW_PX = 22;
const INDENT_PX = 14;
const OVERSCAN = 14;
const WHOLE_CHARS = 100_000;

export default function TreePart({ part: { text, tables } }: PartProps<'tree'>) {
  const { scroller } = useOutputFrame();
  const tree = useMemo(() => createTree(text), [text]);
  const [open, setOpen] = useState(() => tree.firstOpen(tables));
  const [activeAt, setActiveAt] = useState(0);
  const rows = useMemo(() => tree.rows(open), [tree, open]);
  const active = Math.min(activeAt, rows.length - 1);
  const box = useRef<HTMLDivElement>(null);
  const margin = useOffset(box, scroller);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => keyOf(rows[index]) ?? index,
    scrollMargin: margin,
    overscan: OVERSCAN,
  });

  const fold = (row: TreeRow, isOpen: boolean) => {
    const next = new Set(open);
    if (isOpen) next.add(row.path);
    else next.delete(row.path);
    setOpen(next);
  };
  /** The nearest row of a value in the direction of `by`; where it is now if there is none. */
  const valueFrom = (from: number, by: 1 | -1): number => {
    for (let index = from; index >= 0 && index < rows.length; index += by)
      if (rows[index]?.isEnd === false) return index;
    return active;
  };
  const move = (index: number) => {
    setActiveAt(index);
    list.scrollToIndex(index);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[active];
    if (!row) return;
    const keys: Record<string, () => void> = {
      ArrowDown: () => move(valueFrom(active + 1, 1)),
      ArrowUp: () => move(valueFrom(active - 1, -1)),
      Home: () => move(0),
      End: () => move(valueFrom(rows.length - 1, -1)),
      ArrowRight: () => (row.canOpen && !row.isOpen ? fold(row, true) : move(valueFrom(active + 1, 1))),
      ArrowLeft: () => (row.isOpen ? fold(row, false) : move(Math.max(0, parentOf(rows, active)))),
      Enter() {
        if (row.link !== null) window.open(row.link, '_blank', 'noopener,noreferrer');
        else if (row.canOpen) fold(row, !row.isOpen);
      },
    };
    const isCopy = (event.ctrlKey || event.metaKey) && event.key === 'c' && getSelection()?.isCollapsed !== false;
    const act = isCopy ? () => copy(copyTextOf(row.text), t`Copied value`) : keys[event.key];
    if (!act || (!isCopy && (event.ctrlKey || event.metaKey || event.altKey))) return;
    event.preventDefault();
    act();
  };

  return (
    <div
      ref={box}
      className={styles.tree}
      role="tree"
      aria-label={t`Output as a tree`}
      tabIndex={0}
      aria-activedescendant={rowId(list.getVirtualItems().some(({ index }) => index === active) ? active : null)}
      style={{ height: list.getTotalSize() }}
      onKeyDown={onKeyDown}
    >
      {list.getVirtualItems().map(({ index, start, key }) => {
        const row = rows[index];
        if (!row) return null;
        if (row.isEnd) {
          return <EndRow key={key} measure={list.measureElement} row={row} index={index} top={start - margin} />;
        }
        return (
          <Row
            key={key}
            measure={list.measureElement}
            row={row}
            index={index}
            top={start - margin}
            active={index === active}
            onPoint={() => setActiveAt(index)}
            onFold={() => fold(row, !row.isOpen)}
          />
        );
      })}
    </div>
  );
}

/** A list or object and its closing bracket have the same path. */
const keyOf = (row: TreeRow | undefined): string | undefined =>
  row === undefined ? undefined : row.isEnd ? `${row.path} }` : row.path;

const rowId = (index: number | null): string | undefined => (index === null ? undefined : `tree-row-${index}`);

const parentOf = (rows: readonly TreeRow[], index: number): number =>
  rows.findLastIndex((row, at) => at < index && row.depth < (rows[index]?.depth ?? 0));

const copy = (text: string, notice: string): void => void copyText(text, notice);

/** How far the tree lies below the top of what scrolls. Pictures above it may load later. */
function useOffset(box: { current: HTMLElement | null }, view: HTMLElement | null): number {
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      const element = box.current;
      if (!element || !view) return;
      setOffset(
        Math.round(element.getBoundingClientRect().top - view.getBoundingClientRect().top + view.scrollTop) || 0,
      );
    };
    measure();
    const content = box.current?.parentElement;
    const observer = new ResizeObserver(measure);
    if (content) observer.observe(content);
    return () => observer.disconnect();
  }, [box, view]);
  return offset;
}

/** A screen reader has the levels instead of the brackets. */
function EndRow({ measure, row: { kind, depth }, index, top }: Pick<RowProps, 'measure' | 'row' | 'index' | 'top'>) {
  return (
    <div
      ref={measure}
      data-index={index}
      aria-hidden
      className={styles.row}
      style={{ transform: `translateY(${top}px)`, paddingLeft: depth * INDENT_PX }}
    >
      <span className={styles.arrow} />
      <span className={`${styles.content} ${styles.preview}`}>{kind === 'array' ? ']' : '}'}</span>
    </div>
  );
}

interface RowProps {
  measure: (element: HTMLElement | null) => void;
  row: TreeRow;
  index: number;
  top: number;
  active: boolean;
  onPoint: () => void;
  onFold: () => void;
}

function Row({ measure, row, index, top, active, onPoint, onFold }: RowProps) {
  const { path, name, canOpen, isOpen, depth } = row;
  const Arrow = isOpen ? ChevronDown : ChevronRight;
  return (
    <div
      ref={measure}
      id={rowId(index)}
      data-index={index}
      role="treeitem"
      aria-level={depth + 1}
      aria-expanded={canOpen ? isOpen : undefined}
      aria-selected={active}
      data-active={active || undefined}
      className={styles.row}
      style={{ transform: `translateY(${top}px)`, paddingLeft: depth * INDENT_PX }}
      onClick={() => {
        onPoint();
        if (canOpen && getSelection()?.isCollapsed !== false) onFold();
      }}
    >
      <span className={styles.arrow}>{canOpen && <Arrow size={12} aria-hidden />}</span>
      <span className={styles.content}>
        <span className={styles.line}>
          {name !== null && (
            <>
              <span className={typeof name === 'number' ? styles.index : styles.name}>{name}</span>
              {': '}
            </>
          )}
          <Value row={row} />
        </span>
        {isOpen && !isContainer(row.text) && <Whole text={row.text} />}
      </span>
      <span className={styles.actions}>
        <RowAction label={t`Copy value`} onAct={() => copy(copyTextOf(row.text), t`Copied value`)} icon={Copy} />
        {path !== '' && (
          <RowAction label={t`Copy path ${path}`} onAct={() => copy(path, t`Copied path`)} icon={Route} />
        )}
      </span>
    </div>
  );
}

interface RowActionProps {
  label: string;
  icon: typeof Copy;
  onAct: () => void;
}

/** The keyboard stays in the tree: it copies with Ctrl+C. */
function RowAction({ label, icon: Icon, onAct }: RowActionProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        aria-label={label}
        size={22}
        tabIndex={-1}
        onClick={(event) => {
          event.stopPropagation();
          onAct();
        }}
      >
        <Icon size={12} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

function Value({ row }: { row: TreeRow }) {
  const { text, kind, media, link, isOpen } = row;
  const holds = kind === 'object' || kind === 'array';
  const preview = useMemo(
    () => (holds ? previewOf({ text, kind, path: row.path }) : ''),
    [holds, text, kind, row.path],
  );
  if (holds) return <span className={styles.preview}>{isOpen ? (kind === 'array' ? '[' : '{') : preview}</span>;
  if (media && media.sizeBytes !== null) {
    return (
      <span className={styles.preview}>
        {media.type.mime} · {formatBytes(media.sizeBytes)}
      </span>
    );
  }
  const shown = text.length > ROW_CHARS * 2 ? `${text.slice(0, ROW_CHARS)}…` : text;
  return (
    <span className={styles.value} data-kind={kind}>
      {link === null ? (
        shown
      ) : (
        // The host learns of it by a click only. The keyboard stays in the tree, which opens the address by Enter.
        <a
          href={link}
          title={link}
          target="_blank"
          rel="noopener noreferrer nofollow"
          tabIndex={-1}
          onClick={(event) => event.stopPropagation()}
        >
          {shown}
        </a>
      )}
    </span>
  );
}

function Whole({ text }: { text: string }) {
  const value = stringOf(text) ?? text;
  const cut = value.length - WHOLE_CHARS;
  return (
    <span className={styles.whole}>
      {value.slice(0, WHOLE_CHARS)}
      {cut > 0 && ` … ${t`and ${formatCount(cut)} more characters; "Copy value" copies all`}`}
    </span>
  );
}
