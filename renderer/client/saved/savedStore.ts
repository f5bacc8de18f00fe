/**
 * What a person saved, as the app keeps it, and the changes of this page that the app does not have yet. A change by
 * `keepDocument` is shown at once, and stays until it is saved or the page closes.
 */
import { useMemo, useRef } from 'react';
import { create } from 'zustand';
import type { SavedDocument, SavedEvent, SavedKind, SavedPlace, SavedRef } from '#contract/app/saved/document.ts';
import { newId } from '../newId.ts';
import { api, errorText, ORPCError } from '../transport/orpc.ts';
import { useSubscription } from '../transport/subscription.ts';
import { longerOf } from './longer.ts';

interface Unsaved {
  /** Null if the document is to be removed. */
  text: string | null;
  /**
   * The `savedAt` of the version that the text was made from, or that is to be removed; null for none, `UNKNOWN` for
   * one that is not known here.
   */
  base: number | null;
  /** The text that a removal removes; null if there is none. */
  removes: string | null;
  /** Milliseconds since the epoch. */
  at: number;
  isSending: boolean;
  /** Why the last try failed, for a person. */
  problem: string | null;
}

interface Shelf {
  /** By name, as the app has them. */
  documents: ReadonlyMap<string, SavedDocument>;
  /** Whether all of them were read. */
  isRead: boolean;
  /** Why they could not be read just now, for a person; they are read again by themselves. */
  readProblem: string | null;
  /** By name. */
  unsaved: ReadonlyMap<string, Unsaved>;
}

/** A document for the page: the newest text, saved or not. */
export interface Saved {
  name: string;
  text: string;
  savedAt: number;
  /** Why it is not saved, for a person; null if it is, or is just being saved. */
  problem: string | null;
}

/** The place of a kind of documents at an endpoint. `draftKey`: "account/endpoint". */
export function placeAt(kind: SavedKind, draftKey: string): SavedPlace {
  const [accountId = '', ...rest] = draftKey.split('/');
  return { kind, accountId, endpointId: rest.join('/') };
}

/** No version has it. */
const UNKNOWN = -1;

const emptyShelf: Shelf = { documents: new Map(), isRead: false, readProblem: null, unsaved: new Map() };

/** By place. */
export const useShelves = create<Readonly<Record<string, Shelf>>>(() => ({}));

const keyOf = ({ kind, accountId, endpointId }: SavedPlace): string => JSON.stringify([kind, accountId, endpointId]);
const shelfOf = (place: SavedPlace): Shelf => useShelves.getState()[keyOf(place)] ?? emptyShelf;
const change = (place: SavedPlace, fields: Partial<Shelf>): void =>
  useShelves.setState({ [keyOf(place)]: { ...shelfOf(place), ...fields } });

function setUnsaved(ref: SavedRef, fields: Unsaved | null): void {
  const unsaved = new Map(shelfOf(ref).unsaved);
  if (fields === null) unsaved.delete(ref.name);
  else unsaved.set(ref.name, fields);
  change(ref, { unsaved });
}

function setDocument(ref: SavedRef, document: SavedDocument | null): void {
  const documents = new Map(shelfOf(ref).documents);
  if (document === null) documents.delete(ref.name);
  else documents.set(ref.name, document);
  change(ref, { documents });
}

function listOf({ documents, unsaved }: Shelf): Saved[] {
  const all = new Map<string, Saved>();
  for (const { name, text, savedAt } of documents.values()) all.set(name, { name, text, savedAt, problem: null });
  for (const [name, { text, at, problem }] of unsaved) {
    if (text !== null) all.set(name, { name, text, savedAt: at, problem });
    else if (problem === null) all.delete(name);
    else {
      const still = all.get(name);
      if (still) all.set(name, { ...still, problem });
    }
  }
  return [...all.values()].toSorted((one, other) => one.name.localeCompare(other.name));
}

/** The documents of a place by their names, as far as they are known. */
export const savedNow = (place: SavedPlace): Saved[] => listOf(shelfOf(place));

/** The documents of a place by their names, for a component. `isRead`: whether these are all. */
export interface SavedList extends Pick<Shelf, 'isRead' | 'readProblem'> {
  list: readonly Saved[];
}

/** The documents of a place; `useSavedFeed` reads them. */
export function useSaved({ kind, accountId, endpointId }: SavedPlace): SavedList {
  const key = keyOf({ kind, accountId, endpointId });
  const shelf = useShelves((shelves) => shelves[key]) ?? emptyShelf;
  const list = useMemo(() => listOf(shelf), [shelf]);
  return { list, isRead: shelf.isRead, readProblem: shelf.readProblem };
}

async function* readPlace(place: SavedPlace, signal: AbortSignal): AsyncGenerator<SavedEvent, void, void> {
  try {
    yield* await api.saved.watch(place, { signal });
  } catch (error) {
    if (!signal.aborted) change(place, { readProblem: errorText(error) });
    throw error;
  }
}

/** Reads the documents of a place, and follows them while the component shows; null: none. */
export function useSavedFeed(place: SavedPlace | null): void {
  /** What came so far of the first read; null after it. */
  const first = useRef<Map<string, SavedDocument> | null>(null);
  const take = ({ documents, removed, isComplete }: SavedEvent): void => {
    if (place === null) return;
    const isFirst = first.current !== null;
    const now = first.current ?? new Map(shelfOf(place).documents);
    for (const document of documents) now.set(document.name, document);
    for (const name of removed) now.delete(name);
    if (isFirst && !isComplete) return;
    first.current = null;
    change(place, { documents: now, isRead: true, readProblem: null });
    // What could not be saved while the app was away.
    if (isFirst) for (const name of shelfOf(place).unsaved.keys()) void send({ ...place, name });
  };
  useSubscription<SavedEvent>({
    key: place === null ? null : keyOf(place),
    ends: 'never',
    open: (signal) => {
      if (place === null) throw new Error('there is no place to read');
      first.current = new Map();
      return Promise.resolve(readPlace(place, signal));
    },
    onEvent: take,
  });
}

/**
 * Saves a document in place of the one with its name. Rejects with the reason; then nothing has changed. `base`: see
 * `saved.save` of the bridge.
 */
export async function saveDocument(ref: SavedRef, text: string, base?: number | null): Promise<SavedDocument> {
  const { kind, accountId, endpointId, name } = ref;
  const options = base === undefined ? {} : { base };
  const document = await api.saved.save({ kind, accountId, endpointId, name, text, ...options });
  setDocument(ref, document);
  return document;
}

/**
 * Removes a document. Rejects with the reason; then nothing has changed. `base`: see `saved.remove` of the bridge.
 */
export async function removeDocument(
  { kind, accountId, endpointId, name }: SavedRef,
  base?: number | null,
): Promise<void> {
  const ref = { kind, accountId, endpointId, name };
  await api.saved.remove({ documents: [base === undefined ? ref : { ...ref, base }] });
  setDocument(ref, null);
}

/** A text that got a name of its own, because another page had changed its document. */
export interface Moved {
  from: SavedRef;
  /** The new name, at the same place. */
  to: string;
}
const moveListeners = new Set<(moved: Moved) => void>();
/** By document: the last text that was moved, and its new name. */
const moves = new Map<string, { text: string; to: string }>();
const moveKey = (ref: SavedRef): string => `${keyOf(ref)} ${ref.name}`;

/** Calls the listener with each text that got a name of its own. For as long as the page is open. */
export const onMoved = (listener: (moved: Moved) => void): void => void moveListeners.add(listener);

/**
 * Saves a text whose document may have been changed by another page. Of two conversations of which one extends the
 * other, the longer one stays; otherwise both stay, and this page's gets a name of its own. Rejects with the reason if
 * it is not saved. Resolves with the name under which it is.
 */
async function saveBeside(ref: SavedRef, text: string, base: number | null): Promise<SavedDocument> {
  const { kind, accountId, endpointId, name } = ref;
  let from = base;
  for (;;) {
    try {
      return await saveDocument(ref, text, from);
    } catch (error) {
      if (!(error instanceof ORPCError) || error.code !== 'CONFLICT') throw error;
    }
    const there = await api.saved.read({ kind, accountId, endpointId, name });
    const longer = longerOf(text, there.text);
    if (longer === 'one') {
      from = there.savedAt;
      continue;
    }
    if (longer === 'both') {
      const to = newId();
      const document = await saveDocument({ ...ref, name: to }, text, null);
      moves.set(moveKey(ref), { text, to });
      setDocument(ref, there);
      for (const listener of moveListeners) listener({ from: ref, to });
      return document;
    }
    setDocument(ref, there);
    return there;
  }
}

type Listener = (ref: SavedRef) => void;
const notRemovedListeners = new Set<Listener>();

/**
 * Calls the listener with each document that was not removed, because another page had added to it. For as long as the
 * page is open.
 */
export const onNotRemoved = (listener: Listener): void => void notRemovedListeners.add(listener);

/**
 * Removes a document that another page may have changed. What that page has added to it stays, and the document with
 * it. `removes`: the text that this page removes. Rejects with the reason if nothing has changed.
 */
async function removeUnchanged(ref: SavedRef, removes: string | null, base: number | null): Promise<void> {
  const { kind, accountId, endpointId, name } = ref;
  let from = base;
  for (;;) {
    try {
      await removeDocument(ref, from);
      return;
    } catch (error) {
      if (!(error instanceof ORPCError) || error.code !== 'CONFLICT') throw error;
    }
    let there: SavedDocument;
    try {
      there = await api.saved.read({ kind, accountId, endpointId, name });
    } catch (error) {
      if (!(error instanceof ORPCError) || error.code !== 'NOT_FOUND') throw error;
      // Another page has removed it meanwhile.
      setDocument(ref, null);
      return;
    }
    if (removes !== null && (there.text === removes || longerOf(there.text, removes) === 'other')) {
      from = there.savedAt;
      continue;
    }
    setDocument(ref, there);
    for (const listener of notRemovedListeners) listener({ kind, accountId, endpointId, name });
    return;
  }
}

/** Sends the unsaved text of a document, and what was typed meanwhile, one after the other. Never rejects. */
async function send(ref: SavedRef): Promise<void> {
  for (;;) {
    const before = shelfOf(ref).unsaved.get(ref.name);
    if (before === undefined || before.isSending) return;
    const sent: Unsaved = { ...before, isSending: true };
    setUnsaved(ref, sent);
    let problem: string | null = null;
    let saved: SavedDocument | null = null;
    try {
      if (ref.kind === 'chat' && sent.text === null) await removeUnchanged(ref, sent.removes, sent.base);
      else if (sent.text === null) await removeDocument(ref);
      else if (ref.kind === 'chat') saved = await saveBeside(ref, sent.text, sent.base);
      else await saveDocument(ref, sent.text);
    } catch (error) {
      problem = errorText(error);
    }
    const now = shelfOf(ref).unsaved.get(ref.name);
    if (now === undefined) return;
    if (now.text !== sent.text) {
      if (saved !== null && saved.name !== ref.name) {
        // What was made of it meanwhile goes with it.
        setUnsaved(ref, null);
        keepDocument({ ...ref, name: saved.name }, now.text);
        return;
      }
      const base = saved === null || now.base === UNKNOWN ? now.base : saved.savedAt;
      setUnsaved(ref, { ...now, base, isSending: false });
      continue;
    }
    setUnsaved(ref, problem === null ? null : { ...now, isSending: false, problem });
    return;
  }
}

/** Tries again to save what could not be saved. */
export const saveAgain = (ref: SavedRef): void => void send(ref);

/**
 * Shows a text, or with null no document, from now on and saves that. `Saved.problem` says why it could not be saved.
 * `follows`: the text of this page from which it was made; without it, the one that the page shows now. A conversation
 * that another page has changed since is neither replaced nor removed: see `saveBeside` and `removeUnchanged`.
 */
export function keepDocument(document: SavedRef, text: string | null, follows?: string): void {
  const moved = moves.get(moveKey(document));
  const ref = moved !== undefined && moved.text === follows ? { ...document, name: moved.to } : document;
  const { documents, unsaved } = shelfOf(ref);
  const before = unsaved.get(ref.name);
  const saved = documents.get(ref.name);
  const shown = before === undefined ? saved?.text : before.text;
  const known = before === undefined ? (saved?.savedAt ?? null) : before.base;
  setUnsaved(ref, {
    text,
    removes: text === null ? (shown ?? null) : null,
    base: follows === undefined || follows === shown ? known : UNKNOWN,
    at: Date.now(),
    isSending: before?.isSending ?? false,
    problem: before?.problem ?? null,
  });
  void send(ref);
}
