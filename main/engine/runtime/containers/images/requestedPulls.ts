/**
 * Pulls that a person asked for. They run on in the engine when nobody watches, and end with it. The last that ended
 * are listed until they are removed.
 */
import { AppError, messageOf } from '#contract/core/errors.ts';
import type { ImagePull, ImagePullRequest } from '#contract/local/image.ts';
import type { Cancel, Clock, Ids, Logger } from '../../../domain/core/ports.ts';
import type { ContainerEngine, EngineFinder } from '../engine/discovery.ts';
import { podFailure } from '../pods/failure.ts';
import { tagged } from './imageName.ts';
import { createPullProgress, type PullProgress } from './pullProgress.ts';
import { createImagePulls, type Credentials } from './pulls.ts';

/** How many ended pulls are listed. */
const MOST_ENDED = 20;

export interface RequestedPulls {
  /** The newest first. */
  list(): ImagePull[];
  /** Calls `listener` when a pull starts, has progress, ends or is removed. Returns a function that unsubscribes. */
  onChange(listener: () => void): Cancel;
  /**
   * Starts a pull, also of an image that is here: its tag may stand for a newer one. Answers the running pull where the
   * same image is being pulled. `credentials`: those that the request names. Throws UNAVAILABLE where no container
   * engine answers.
   */
  start(request: ImagePullRequest, credentials: Credentials | null): Promise<ImagePull>;
  /** Cancels a running pull and removes it from the list. Throws NOT_FOUND for an unknown id. */
  remove(id: string): void;
  /** Cancels all pulls. */
  stop(): void;
}

interface Requested {
  pull: Pick<ImagePull, 'id' | 'name' | 'containerRegistryAuthId' | 'state' | 'problem' | 'startedAt' | 'endedAt'>;
  progress: Pick<PullProgress, 'percent' | 'amounts'>;
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
  const listeners = new Set<() => void>();
  const now = (): string => new Date(clock.now()).toISOString();
  const view = ({ pull, progress }: Requested): ImagePull => ({
    ...pull,
    percent: pull.state === 'DONE' ? 100 : progress.percent(),
    ...progress.amounts(),
  });
  const isRunning = ({ pull: { state } }: Requested): boolean => state === 'PULLING';

  function changed(): void {
    for (const listener of listeners) listener();
  }

  function end(one: Requested, state: 'DONE' | 'FAILED', problem: string | null): void {
    one.pull = { ...one.pull, state, problem, endedAt: now() };
    const ended = [...requested.values()].filter((other) => !isRunning(other));
    for (const { pull } of ended.slice(0, -MOST_ENDED)) requested.delete(pull.id);
    changed();
  }

  async function run(one: Requested, engine: ContainerEngine, credentials: Credentials | null): Promise<void> {
    const { name: image } = one.pull;
    const { signal } = one.abort;
    try {
      await pulls.get({ engine, name: image, credentials, isUpdate: true }, signal, (progress) => {
        one.progress = progress;
        changed();
      });
      end(one, 'DONE', null);
    } catch (error) {
      if (signal.aborted) return;
      const about = { phase: 'pull', image, credentials: credentials !== null, of: 'pull' } as const;
      const problem = messageOf(podFailure(error, { name: engine.name, ...about }));
      logger.info({ image }, problem);
      end(one, 'FAILED', problem);
    }
  }

  return {
    list: () => [...requested.values()].map(view).toReversed(),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async start({ name, containerRegistryAuthId = null }, credentials) {
      const engine = await finder.find();
      if (typeof engine === 'string') throw new AppError('UNAVAILABLE', engine);
      const image = tagged(name);
      const ofImage = [...requested.values()].filter(({ pull }) => pull.name === image);
      const running = ofImage.find(isRunning);
      if (running) return view(running);
      // The new pull takes the place of those of the same image that ended.
      for (const { pull } of ofImage) requested.delete(pull.id);
      const one: Requested = {
        pull: {
          id: ids.random(8),
          name: image,
          containerRegistryAuthId,
          state: 'PULLING',
          problem: null,
          startedAt: now(),
          endedAt: null,
        },
        progress: createPullProgress(),
        abort: new AbortController(),
      };
      requested.set(one.pull.id, one);
      changed();
      void run(one, engine, credentials);
      return view(one);
    },
    remove(id) {
      const one = requested.get(id);
      if (!one) throw new AppError('NOT_FOUND', `There is no pull ${JSON.stringify(id)}.`);
      requested.delete(id);
      one.abort.abort();
      changed();
    },
    stop() {
      for (const { abort } of requested.values()) abort.abort();
    },
  };
}
