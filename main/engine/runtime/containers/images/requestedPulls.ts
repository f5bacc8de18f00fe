/** Pulls that a person asked for. They run on in the engine when nobody watches, and are listed until they are removed. */
import { AppError, messageOf } from '#contract/core/errors.ts';
import type { ImagePull } from '#contract/local/image.ts';
import type { Clock, Ids, Logger } from '../../../domain/core/ports.ts';
import type { EngineFinder } from '../engine/discovery.ts';
import { podFailure } from '../pods/failure.ts';
import { tagged } from './imageName.ts';
import { createImagePulls, type Credentials } from './pulls.ts';

/** How many ended pulls are listed. */
const MOST_ENDED = 20;

export interface RequestedPulls {
  /** The newest first. */
  list(): ImagePull[];
  /**
   * Starts a pull, also of an image that is here: its tag may stand for a newer one. Answers the running pull where the
   * same image is being pulled. Throws UNAVAILABLE where no container engine answers.
   */
  start(name: string, credentials: Credentials | null): Promise<ImagePull>;
  /** Cancels a running pull and removes it from the list. Throws NOT_FOUND for an unknown id. */
  remove(id: string): void;
  /** Cancels all pulls. */
  stop(): void;
}

interface Requested {
  pull: ImagePull;
  percent: () => number | null;
  abort: AbortController;
}

export interface RequestedPullsOptions {
  finder: Pick<EngineFinder, 'find'>;
  clock: Pick<Clock, 'now'>;
  ids: Ids;
  logger: Logger;
}

export function createRequestedPulls({ finder, clock, ids, logger }: RequestedPullsOptions): RequestedPulls {
  const pulls = createImagePulls();
  const requested = new Map<string, Requested>();
  const now = (): string => new Date(clock.now()).toISOString();
  const view = ({ pull, percent }: Requested): ImagePull =>
    pull.state === 'PULLING' ? { ...pull, percent: percent() } : pull;
  const running = (image: string): Requested | undefined =>
    [...requested.values()].find(({ pull: { name, state } }) => name === image && state === 'PULLING');

  function end(one: Requested, ended: Pick<ImagePull, 'state' | 'percent' | 'problem'>): void {
    one.pull = { ...one.pull, ...ended, endedAt: now() };
    const old = [...requested.values()].filter(({ pull }) => pull.state !== 'PULLING').slice(0, -MOST_ENDED);
    for (const { pull } of old) requested.delete(pull.id);
  }

  return {
    list: () => [...requested.values()].map(view).toReversed(),
    async start(name, credentials) {
      const engine = await finder.find();
      if (typeof engine === 'string') throw new AppError('UNAVAILABLE', engine);
      const image = tagged(name);
      const before = running(image);
      if (before) return view(before);
      const pull = { id: ids.random(8), name: image, percent: null, problem: null, startedAt: now(), endedAt: null };
      const one: Requested = {
        pull: { ...pull, state: 'PULLING' },
        percent: () => null,
        abort: new AbortController(),
      };
      requested.set(pull.id, one);
      pulls
        .get({ engine, name: image, credentials, isUpdate: true }, one.abort.signal, (percent) => {
          one.percent = percent;
        })
        .then(
          () => end(one, { state: 'DONE', percent: 100, problem: null }),
          (error: unknown) => {
            if (one.abort.signal.aborted) return;
            const about = { name: engine.name, phase: 'pull', image, credentials: credentials !== null } as const;
            const problem = messageOf(podFailure(error, { ...about, of: 'pull' }));
            logger.info({ image }, problem);
            end(one, { state: 'FAILED', percent: one.percent(), problem });
          },
        );
      return view(one);
    },
    remove(id) {
      const one = requested.get(id);
      if (!one) throw new AppError('NOT_FOUND', `There is no pull ${JSON.stringify(id)}.`);
      requested.delete(id);
      one.abort.abort();
    },
    stop() {
      for (const { abort } of requested.values()) abort.abort();
    },
  };
}
