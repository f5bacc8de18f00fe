/**
 * The row that the keys of a grid are at, and the keys: they move, open and close, select with Shift or Space, and find
 * a row by the letters that it begins with.
 */
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { ClickKeys, RowClicks } from './GridRow.tsx';
import { isArray, type GridChoice, type GridSource, type RowRange } from './rows.ts';

interface ActiveRowOptions<Row> {
  openId: string | null;
  idOf: (row: Row) => string;
  onOpen: (id: string) => void;
  onClose?: () => void;
  /** The default is `open`. */
  clicks?: RowClicks;
  keys?: Readonly<Record<string, (row: Row) => void>>;
  textOf?: (row: Row) => string;
  startId?: string | null;
  choice?: GridChoice<Row>;
  /** The rows as the caller passes them. */
  rows: readonly Row[] | GridSource<Row>;
}

const NO_KEYS: ClickKeys = { shiftKey: false, ctrlKey: false, metaKey: false };

interface GridView {
  scrollTo: (index: number) => void;
  /** The number of visible rows, minus two. */
  pageRows: () => number;
}

const rangeOf = (one: number, other: number): RowRange => ({
  first: Math.min(one, other),
  last: Math.max(one, other),
});

/** The rows of a selection that it loses when it ends at `to` instead of `at`; null if it loses none. */
function lostRows(from: number, at: number, to: number): RowRange | null {
  if (at > from && to < at) return { first: Math.max(to, from) + 1, last: at };
  if (at < from && to > at) return { first: at, last: Math.min(to, from) - 1 };
  return null;
}

function chooseRange<Row>(choice: GridChoice<Row>, rows: GridSource<Row>, range: RowRange, isChosen: boolean): void {
  const loaded: Row[] = [];
  for (let index = range.first; index <= range.last; index += 1) {
    const row = rows.at(index);
    if (row !== undefined) loaded.push(row);
  }
  const isComplete = loaded.length === range.last - range.first + 1;
  if (isComplete || !choice.onRange) choice.onChoose(loaded, isChosen);
  else choice.onRange(range, isChosen);
}

/** Letters that follow each other within this time belong to one text. */
const TYPING_MS = 1000;

/** Keys with a use on the whole page: the search, and the list of keys. */
const PAGE_KEYS = '/?';

const isLetter = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  !(ctrlKey || metaKey || altKey) && Array.from(key).length === 1 && key !== ' ' && !PAGE_KEYS.includes(key);

/** Takes the letters that a person types, and calls `onFound` with the index of the next row that begins with them. */
function useTypedText<Row>({ rows, textOf }: Pick<ActiveRowOptions<Row>, 'rows' | 'textOf'>) {
  const typed = useRef({ text: '', at: -Infinity });
  /** Returns whether the key was such a letter. */
  return (event: KeyboardEvent, active: number, onFound: (index: number) => void): boolean => {
    if (textOf === undefined || !isArray(rows) || !isLetter(event)) return false;
    event.preventDefault();
    // A letter is also the key of a command of the page.
    event.stopPropagation();
    const letter = event.key.toLowerCase();
    const before = event.timeStamp - typed.current.at < TYPING_MS ? typed.current.text : '';
    // The same letter again goes on to the next row.
    const text = before === letter ? letter : before + letter;
    typed.current = { text, at: event.timeStamp };
    const from = text === letter ? active + 1 : Math.max(0, active);
    const order = [...rows.slice(from), ...rows.slice(0, from)];
    const match = order.findIndex((row) => textOf(row).toLowerCase().startsWith(text));
    if (match !== -1) onFound((from + match) % rows.length);
    return true;
  };
}

/**
 * The active row is known by its id, so that it stays the same when rows are added above it. -1: none, or not loaded.
 */
export function useActiveRow<Row>(
  options: ActiveRowOptions<Row>,
  rows: GridSource<Row>,
  { scrollTo, pageRows }: GridView,
) {
  const { openId, idOf, onOpen, onClose, clicks = 'open', choice, rows: all, startId = null } = options;
  const hasAllRows = isArray(all);
  const [wantedId, setWantedId] = useState<string | null>(startId ?? openId);
  const [lastOpenId, setLastOpenId] = useState(openId);
  const [lastStartId, setLastStartId] = useState(startId);
  const takeLetter = useTypedText(options);
  /** Where the range with Shift began; null while the active row is its beginning. */
  const anchorId = useRef<string | null>(null);
  // A link or the history opened another row: the keyboard continues there.
  if (openId !== lastOpenId) {
    setLastOpenId(openId);
    if (openId !== null) setWantedId(openId);
  }
  if (startId !== lastStartId) {
    setLastStartId(startId);
    if (startId !== null) setWantedId(startId);
  }
  const start = startId === null ? -1 : rows.indexOf(startId);
  const isStarted = start !== -1;
  useEffect(() => {
    if (isStarted) scrollTo(start);
    // oxlint-disable-next-line react/exhaustive-deps -- once for each row: later the list stays where the person is
  }, [startId, isStarted]);
  const index = wantedId === null ? -1 : rows.indexOf(wantedId);
  const active = hasAllRows ? Math.max(0, index) : index;
  const activeRow = active === -1 ? undefined : rows.at(active);
  const activeId = activeRow === undefined ? null : idOf(activeRow);
  const setActiveId = (id: string) => {
    anchorId.current = null;
    setWantedId(id);
  };

  /** Ends the range at a row, which becomes the active one. */
  const extendTo = (to: number, isChosen = true) => {
    const row = rows.at(to);
    if (!choice || row === undefined) return;
    const anchor = anchorId.current === null ? active : rows.indexOf(anchorId.current);
    const from = anchor === -1 ? to : anchor;
    const lost = active === -1 ? null : lostRows(from, active, to);
    if (lost !== null) chooseRange(choice, rows, lost, false);
    chooseRange(choice, rows, rangeOf(from, to), isChosen);
    const first = rows.at(from);
    anchorId.current = first === undefined ? null : idOf(first);
    setWantedId(idOf(row));
  };
  const choose = (row: Row) => {
    choice?.onChoose([row], !choice.isChosen(row));
    setActiveId(idOf(row));
  };
  const move = (to: number, isExtending: boolean) => {
    const next = Math.max(0, Math.min(rows.count - 1, to));
    const row = rows.at(next);
    scrollTo(next);
    if (isExtending && choice) extendTo(next);
    else if (row !== undefined) setActiveId(idOf(row));
  };
  const clickRow = (at: number, id: string, { shiftKey, ctrlKey, metaKey }: ClickKeys = NO_KEYS) => {
    const row = rows.at(at);
    if (choice && shiftKey) extendTo(at);
    else if (!choice || row === undefined || clicks === 'open') {
      setActiveId(id);
      onOpen(id);
    } else if (ctrlKey || metaKey) choose(row);
    else {
      choice.onNone();
      choice.onChoose([row], true);
      setActiveId(id);
    }
  };
  const keys: Record<string, (isExtending: boolean) => void> = {
    ArrowDown: (isExtending) => move(active + 1, isExtending),
    ArrowUp: (isExtending) => move(active - 1, isExtending),
    PageDown: (isExtending) => move(active + pageRows(), isExtending),
    PageUp: (isExtending) => move(active - pageRows(), isExtending),
    Home: (isExtending) => move(0, isExtending),
    // The rows at the end of a source may not be loaded yet.
    ...(hasAllRows && { End: (isExtending: boolean) => move(rows.count - 1, isExtending) }),
    ...(choice && { ' ': () => activeRow !== undefined && choose(activeRow) }),
    Enter: () => activeId !== null && onOpen(activeId),
    ...(choice && choice.count > 0
      ? { Escape: () => choice.onNone() }
      : onClose && {
          Escape: () => onClose(),
        }),
    ...Object.fromEntries(
      Object.entries(options.keys ?? {}).map(([key, run]) => [key, () => activeRow !== undefined && run(activeRow)]),
    ),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isAll = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'a';
    if (choice && isAll) {
      event.preventDefault();
      choice.onAll();
      return;
    }
    if (takeLetter(event, active, (index) => move(index, false))) return;
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    // A link, a button or a checkbox of the head takes these keys itself.
    const isOfControl = event.target instanceof Element && event.target.closest('a, button, [role=columnheader]');
    if (isOfControl && (event.key === 'Enter' || event.key === ' ')) return;
    event.preventDefault();
    act(event.shiftKey);
  };
  return { active, activeId, setActiveId, choose, extendTo, clickRow, onKeyDown };
}
