/** The procedures about everything that Hangar keeps. */
import type { dataContract, DataState } from '#contract/bridge/data/index.ts';
import type { ImplementerInternalWithMiddlewares } from '@orpc/server';
import type { DataServices } from '../storage/dataServices.ts';
import type { DataWorks } from '../storage/dataWork.ts';
import { pause, type Clock } from '../platform/clock.ts';
import { createBell, PACE_MS } from './asyncSignal.ts';

interface Watching {
  clock: Clock;
  lifeOf: (signal: AbortSignal | undefined) => AbortSignal;
  translated: <T>(events: AsyncGenerator<T, void, void>) => AsyncGenerator<T, void, void>;
}

async function* watchState(
  works: Pick<DataWorks, 'state' | 'onChange'>,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<DataState, void, void> {
  const bell = createBell(signal);
  const unsubscribe = works.onChange(bell.ring);
  try {
    while (!signal.aborted) {
      yield works.state();
      await bell.next();
      await pause(clock, PACE_MS, signal);
    }
  } finally {
    unsubscribe();
    bell.stop();
  }
}

export function bindData(
  procedures: ImplementerInternalWithMiddlewares<typeof dataContract, object, object>,
  { works, places, open, openWork, remove }: DataServices,
  { clock, lifeOf, translated }: Watching,
) {
  return {
    places: procedures.places.handler(({ signal }) => translated(places(lifeOf(signal)))),
    open: procedures.open.handler(async ({ input }) => {
      await open(input.path);
      return {};
    }),
    watch: procedures.watch.handler(({ signal }) => translated(watchState(works, clock, lifeOf(signal)))),
    move: procedures.move.handler(({ input }) => works.move(input.to)),
    discardMove: procedures.discardMove.handler(() => works.discardMove()),
    export: procedures.export.handler(({ input }) => works.export(input.file)),
    import: procedures.import.handler(({ input }) => works.import(input.file)),
    stop: procedures.stop.handler(() => works.stop()),
    openWork: procedures.openWork.handler(() => openWork()),
    remove: procedures.remove.handler(async ({ input }) => {
      await remove(input.force);
      return {};
    }),
  };
}
