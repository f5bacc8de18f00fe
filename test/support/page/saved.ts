/** What a person saved in the window, kept in memory: the app's part in specs of components. */
import { ORPCError } from '@orpc/server';
import type { SavedDocument, SavedEvent, SavedPlace, SavedRef } from '#contract/app/saved/document.ts';

const keyOf = ({ kind, accountId, endpointId, name }: SavedRef): string =>
  JSON.stringify([kind, accountId, endpointId, name]);

/** The part `saved` of the app's answers. `first`: what is saved already. */
export function savedAnswers(first: readonly Omit<SavedDocument, 'savedAt'>[] = []) {
  const documents = new Map<string, SavedDocument>();
  const listeners = new Set<() => void>();
  function put(document: Omit<SavedDocument, 'savedAt'>): SavedDocument {
    const before = documents.get(keyOf(document))?.savedAt ?? 0;
    const saved = { ...document, savedAt: Math.max(Date.now(), before + 1) };
    documents.set(keyOf(document), saved);
    for (const listener of listeners) listener();
    return saved;
  }
  for (const document of first) put(document);
  /** As the app: a name at which nothing else is, or null if the document is there already. */
  function freeName(place: SavedPlace, { name, text }: { name: string; text: string }): string | null {
    for (let number = 1; ; number += 1) {
      const wanted = number === 1 ? name : `${name} (${number})`;
      const there = documents.get(keyOf({ ...place, name: wanted }));
      if (there === undefined) return wanted;
      if (there.text === text) return null;
    }
  }

  /** Yields what `read` answers now, then after each change. */
  async function* follow<Value>(read: () => Value, signal: AbortSignal): AsyncGenerator<Value> {
    let wake = (): void => undefined;
    let isRung = true;
    const ring = (): void => {
      isRung = true;
      wake();
    };
    listeners.add(ring);
    signal.addEventListener('abort', ring, { once: true });
    try {
      while (!signal.aborted) {
        if (!isRung) await new Promise<void>((resolve) => (wake = resolve));
        isRung = false;
        if (!signal.aborted) yield read();
      }
    } finally {
      listeners.delete(ring);
    }
  }

  return {
    watch(place: SavedPlace, signal: AbortSignal) {
      const known = new Map<string, SavedDocument>();
      const read = (): SavedEvent => {
        const now = [...documents.values()].filter(
          ({ kind, accountId, endpointId }) =>
            kind === place.kind && accountId === place.accountId && endpointId === place.endpointId,
        );
        const changed = now.filter((one) => known.get(one.name) !== one);
        const removed = [...known.keys()].filter((name) => !now.some((one) => one.name === name));
        for (const one of changed) known.set(one.name, one);
        for (const name of removed) known.delete(name);
        return { documents: changed, removed, isComplete: true };
      };
      return follow(read, signal);
    },
    list: (_: unknown, signal: AbortSignal) =>
      follow(
        () =>
          [...documents.values()].map(({ text, ...one }) => ({ ...one, bytes: text.length, endpointName: 'resize' })),
        signal,
      ),
    read: (ref: SavedRef): SavedDocument => {
      const document = documents.get(keyOf(ref));
      if (document === undefined) throw new Error(`${ref.name} is not saved`);
      return document;
    },
    save({ base, ...document }: Omit<SavedDocument, 'savedAt'> & { base?: number | null | undefined }): SavedDocument {
      const there = documents.get(keyOf(document));
      if (there !== undefined && base !== undefined && there.savedAt !== base) {
        if (there.text === document.text) return there;
        throw new ORPCError('CONFLICT', { status: 409, message: 'It was changed in another window.' });
      }
      return put(document);
    },
    adopt(input: SavedPlace & { documents: { name: string; text: string }[] }): void {
      const { kind, accountId, endpointId } = input;
      const place = { kind, accountId, endpointId };
      for (const one of input.documents) {
        const name = freeName(place, one);
        if (name !== null) put({ ...place, name, text: one.text });
      }
    },
    remove(input: { documents: (SavedRef & { base?: number | null | undefined })[] }): { removed: number } {
      for (const { base, ...ref } of input.documents) {
        const there = documents.get(keyOf(ref));
        if (there !== undefined && base !== undefined && there.savedAt !== base)
          throw new ORPCError('CONFLICT', { status: 409, message: 'It was changed in another window.' });
      }
      const removed = input.documents.filter((ref) => documents.delete(keyOf(ref))).length;
      for (const listener of listeners) listener();
      return { removed };
    },
  };
}
