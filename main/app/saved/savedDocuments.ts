/** What a person saved in the window, with its limits and its changes. */
import {
  savedLimits,
  type SavedDocument,
  type SavedKind,
  type SavedPlace,
  type SavedRef,
  type SavedSummary,
} from '#contract/app/saved/document.ts';
import { AppError } from '#contract/core/errors.ts';
import type { SavedRows } from '../ledger/rows/saved.ts';
import type { Clock } from '../platform/clock.ts';

export interface SavedDocuments {
  /** All documents, or those of a place, without their texts: by kind, place and name. */
  list(place?: SavedPlace): SavedSummary[];
  find(ref: SavedRef): SavedDocument | undefined;
  /**
   * Saves a document in place of the one with its name; durable on return. Throws TOO_LARGE or BAD_REQUEST beyond
   * `savedLimits`, and STORAGE_FULL. With `base`, the `savedAt` of the version that the text was made from or null for
   * none, it throws CONFLICT if another version with another text is there. A document that was removed since is saved
   * again.
   */
  save(document: Omit<SavedDocument, 'savedAt'>, base?: number | null): SavedDocument;
  /** Saves documents, all or none, without replacing others: see `saved.adopt` of the bridge. Throws as `save` does. */
  adopt(place: SavedPlace, documents: readonly Pick<SavedDocument, 'name' | 'text'>[]): void;
  /**
   * Removes all or none; durable on return. Returns how many there were. Throws CONFLICT if another version than that
   * of `base` is there: see `saved.remove` of the bridge.
   */
  remove(refs: readonly (SavedRef & { base?: number | null | undefined })[]): number;
  /** Calls the listener after each change, with what changed. Returns a function that unsubscribes. */
  onChange(listener: (changed: readonly SavedRef[]) => void): () => void;
}

const MIB = 1024 * 1024;
const megabytes = (bytes: number): string => `${Math.round((bytes / MIB) * 10) / 10} MB`;

const manyOf: Record<SavedKind, string> = {
  input: 'saved inputs of this endpoint',
  filter: 'saved filters',
  schema: 'schemas of this endpoint',
  chat: 'conversations of this endpoint',
  'chat-options': 'chat options of this endpoint',
};

const REMOVE_FIRST = 'Remove some in Settings, Storage, and save again.';

export function createSavedDocuments(rows: SavedRows, clock: Pick<Clock, 'now'>): SavedDocuments {
  const listeners = new Set<(changed: readonly SavedRef[]) => void>();
  function changed(refs: readonly SavedRef[]): void {
    for (const listener of listeners) listener(refs);
  }

  /**
   * Throws if the documents would go beyond a limit. All of them have the same place. `perPlace`: most of them there; a
   * place that has more already, because they came from a browser, takes no further name.
   */
  function requireRoom(
    place: SavedPlace,
    documents: readonly Pick<SavedDocument, 'name' | 'text'>[],
    perPlace: number = savedLimits.perPlace,
  ): void {
    const { documentBytes, totalBytes } = savedLimits;
    const all = rows.list();
    const replaced = new Set(documents.map(({ name }) => name));
    const isAtPlace = ({ kind, accountId, endpointId }: SavedRef): boolean =>
      kind === place.kind && accountId === place.accountId && endpointId === place.endpointId;
    const others = all.filter((one) => !isAtPlace(one) || !replaced.has(one.name));
    let total = others.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { text } of documents) {
      const bytes = Buffer.byteLength(text);
      if (bytes > documentBytes) {
        throw new AppError(
          'TOO_LARGE',
          `This has ${megabytes(bytes)}. One saved document has at most ${megabytes(documentBytes)}: shorten it.`,
        );
      }
      total += bytes;
    }
    const before = all.filter(isAtPlace).length;
    const after = others.filter(isAtPlace).length + replaced.size;
    if (after > perPlace && after > before) {
      throw new AppError('BAD_REQUEST', `There are at most ${perPlace} ${manyOf[place.kind]}. ${REMOVE_FIRST}`);
    }
    if (total > totalBytes) {
      throw new AppError(
        'BAD_REQUEST',
        `All that is saved together has at most ${megabytes(totalBytes)}, and would have ${megabytes(total)}. ${REMOVE_FIRST}`,
      );
    }
  }

  /**
   * The name under which the text can be saved without replacing another one; null if it is saved already. `taken`:
   * texts by name that will be saved together with it.
   */
  function freeName(
    place: SavedPlace,
    { name, text }: Pick<SavedDocument, 'name' | 'text'>,
    taken: ReadonlyMap<string, string>,
  ): string | null {
    for (let number = 1; ; number += 1) {
      const suffix = number === 1 ? '' : ` (${number})`;
      const wanted = name.slice(0, savedLimits.nameLength - suffix.length) + suffix;
      const there = taken.get(wanted) ?? rows.find({ ...place, name: wanted })?.text;
      if (there === undefined) return wanted;
      if (there === text) return null;
    }
  }

  return {
    list: rows.list,
    find: rows.find,
    save({ kind, accountId, endpointId, name, text }, base) {
      const place = { kind, accountId, endpointId };
      const there = rows.find({ ...place, name });
      if (there !== undefined && base !== undefined && there.savedAt !== base) {
        if (there.text === text) return there;
        throw new AppError('CONFLICT', 'It was changed in another window. Read it again, then change it.');
      }
      requireRoom(place, [{ name, text }]);
      // Two versions of one millisecond, or before and after the clock was set back, are still told apart.
      const document = { ...place, name, text, savedAt: Math.max(clock.now(), (there?.savedAt ?? 0) + 1) };
      rows.save([document]);
      changed([document]);
      return document;
    },
    adopt({ kind, accountId, endpointId }, documents) {
      const place = { kind, accountId, endpointId };
      const savedAt = clock.now();
      const taken = new Map<string, string>();
      for (const document of documents) {
        const free = freeName(place, document, taken);
        if (free !== null) taken.set(free, document.text);
      }
      if (taken.size === 0) return;
      const fresh = [...taken].map(([name, text]) => ({ ...place, name, text, savedAt }));
      // However many a browser has: none of them may stay out of reach there.
      requireRoom(place, fresh, Infinity);
      rows.save(fresh);
      changed(fresh);
    },
    remove(refs) {
      for (const { base, ...ref } of refs) {
        if (base === undefined) continue;
        const there = rows.find(ref);
        if (there !== undefined && there.savedAt !== base)
          throw new AppError('CONFLICT', 'It was changed in another window. Read it again, then remove it.');
      }
      const removed = rows.remove(refs);
      changed(refs);
      return removed;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
