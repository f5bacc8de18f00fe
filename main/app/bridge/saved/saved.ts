/** The procedures about what a person saved in the window. */
import type { SavedDocument, SavedEvent, SavedPlace, SavedSummary } from '#contract/app/saved/document.ts';
import type { savedContract } from '#contract/bridge/saved/saved.ts';
import { AppError } from '#contract/core/errors.ts';
import type { ImplementerInternalWithMiddlewares } from '@orpc/server';
import type { ResourceNameRows } from '../../ledger/rows/resourceNames.ts';
import { pause, type Clock } from '../../platform/clock.ts';
import type { SavedDocuments } from '../../saved/savedDocuments.ts';
import { createBell, PACE_MS } from '../asyncSignal.ts';

/** An event of this many characters is sent before more is added to it. */
const EVENT_CHARS = 500_000;

/** The documents of a place in pieces, then those that change. */
export async function* watchPlace(
  saved: Pick<SavedDocuments, 'list' | 'find' | 'onChange'>,
  place: SavedPlace,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<SavedEvent, void, void> {
  const bell = createBell(signal);
  const dirty = new Set<string>();
  const unsubscribe = saved.onChange((changed) => {
    for (const { kind, accountId, endpointId, name } of changed) {
      if (kind !== place.kind || accountId !== place.accountId || endpointId !== place.endpointId) continue;
      dirty.add(name);
      bell.ring();
    }
  });
  try {
    for (const { name } of saved.list(place)) dirty.add(name);
    bell.ring();
    while (!signal.aborted) {
      await bell.next();
      const names = [...dirty];
      dirty.clear();
      let event: SavedEvent = { documents: [], removed: [], isComplete: false };
      let chars = 0;
      for (const name of names) {
        const document: SavedDocument | undefined = saved.find({ ...place, name });
        if (document === undefined) event.removed.push(name);
        else event.documents.push(document);
        chars += document?.text.length ?? 0;
        if (chars < EVENT_CHARS) continue;
        yield event;
        event = { documents: [], removed: [], isComplete: false };
        chars = 0;
      }
      yield { ...event, isComplete: true };
      await pause(clock, PACE_MS, signal);
    }
  } finally {
    unsubscribe();
    bell.stop();
  }
}

type NamedSummary = SavedSummary & { endpointName: string | null };

/** All documents without their texts now, then after each change. */
async function* watchList(
  list: () => NamedSummary[],
  onChange: SavedDocuments['onChange'],
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<NamedSummary[], void, void> {
  const bell = createBell(signal);
  const unsubscribe = onChange(bell.ring);
  try {
    while (!signal.aborted) {
      yield list();
      await bell.next();
      await pause(clock, PACE_MS, signal);
    }
  } finally {
    unsubscribe();
    bell.stop();
  }
}

interface SavedBinding {
  saved: SavedDocuments;
  names: Pick<ResourceNameRows, 'of'>;
  clock: Clock;
  lifeOf: (signal: AbortSignal | undefined) => AbortSignal;
  translated: <T>(events: AsyncGenerator<T, void, void>) => AsyncGenerator<T, void, void>;
}

export function bindSaved(
  procedures: ImplementerInternalWithMiddlewares<typeof savedContract, object, object>,
  { saved, names, clock, lifeOf, translated }: SavedBinding,
) {
  const list = (): NamedSummary[] =>
    saved.list().map((one) => ({ ...one, endpointName: names.of(one.accountId).get(one.endpointId) ?? null }));
  return {
    watch: procedures.watch.handler(({ input, signal }) => translated(watchPlace(saved, input, clock, lifeOf(signal)))),
    list: procedures.list.handler(({ signal }) => translated(watchList(list, saved.onChange, clock, lifeOf(signal)))),
    read: procedures.read.handler(({ input }) => {
      const document = saved.find(input);
      if (document === undefined) throw new AppError('NOT_FOUND', 'It was removed, perhaps in another window.');
      return document;
    }),
    save: procedures.save.handler(({ input: { base, ...document } }) => saved.save(document, base)),
    adopt: procedures.adopt.handler(({ input: { documents, ...place } }) => saved.adopt(place, documents)),
    remove: procedures.remove.handler(({ input }) => ({ removed: saved.remove(input.documents) })),
  };
}
