/** Gets images: those that are on this machine are taken as they are, the others are pulled, once for all who wait for one. */
import type { Readable } from 'node:stream';
import type { ContainerEngine } from '../engine/discovery.ts';
import { isRefusal, REFUSED_MINUTES } from '../engine/errorMessages.ts';
import { registryOf, tagged } from './imageName.ts';
import { jsonLines } from '../engine/jsonLines.ts';
import { createPullProgress, type PullEvent, type PullProgress } from './pullProgress.ts';

export interface Credentials {
  username: string;
  password: string;
}

interface Pull {
  done: Promise<void>;
  progress: PullProgress;
  abort: AbortController;
  /** The listeners for the progress of the pull. */
  waiting: Set<() => void>;
}

export interface ImagePulls {
  /**
   * Settles once the image is on this machine; rejects as the engine says, or when `signal` aborts. A pull that nobody waits for
   * any more is cut off, and one whose credentials were refused is not made again for a while. Where it has to be pulled, `onPulling` is called at each step, with how far that is.
   */
  get(
    image: { engine: ContainerEngine; name: string; credentials: Credentials | null },
    signal: AbortSignal,
    onPulling: (percent: () => number | null) => void,
  ): Promise<void>;
}

async function isHere({ docker }: ContainerEngine, image: string): Promise<boolean> {
  try {
    await docker.getImage(image).inspect();
    return true;
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode === 404) return false;
    throw error;
  }
}

async function pull(
  { docker }: ContainerEngine,
  image: string,
  credentials: Credentials | null,
  { progress, abort, waiting }: Omit<Pull, 'done'>,
): Promise<void> {
  const authconfig = credentials === null ? {} : { authconfig: { ...credentials, serveraddress: registryOf(image) } };
  const answer = await docker.createImage({ fromImage: image, abortSignal: abort.signal, ...authconfig });
  abort.signal.addEventListener('abort', () => (answer as unknown as { destroy(): void }).destroy(), { once: true });
  let failure: string | null = null;
  for await (const value of jsonLines(answer as Readable)) {
    const event = value as PullEvent;
    // The engine answers 200 first, and reports errors in the stream.
    if (event.error !== undefined) failure = event.error;
    progress.take(event);
    for (const notify of waiting) notify();
  }
  abort.signal.throwIfAborted();
  if (failure !== null) throw new Error(failure);
}

export function createImagePulls(): ImagePulls {
  const pulls = new Map<string, Pull>();
  /** Those whose credentials were refused, and when; on the clock that never runs backwards. */
  const refused = new Map<string, { error: Error; at: number }>();

  /** The refusal of the same pull, where that is not long ago. */
  function refusalOf(key: string): Error | null {
    const refusal = refused.get(key);
    if (refusal && performance.now() - refusal.at < REFUSED_MINUTES * 60_000) return refusal.error;
    refused.delete(key);
    return null;
  }

  return {
    async get({ engine, name, credentials }, signal, onPulling) {
      const image = tagged(name);
      if (await isHere(engine, image)) return;
      signal.throwIfAborted();
      const key = JSON.stringify([engine.place.address, image, credentials]);
      const refusal = refusalOf(key);
      if (refusal) throw refusal;
      let shared = pulls.get(key);
      if (!shared) {
        const begun = { progress: createPullProgress(), abort: new AbortController(), waiting: new Set<() => void>() };
        const done = pull(engine, image, credentials, begun)
          .catch((error: unknown) => {
            if (credentials !== null && isRefusal(error as Error)) {
              refused.set(key, { error: error as Error, at: performance.now() });
            }
            throw error;
          })
          .finally(() => pulls.delete(key));
        shared = { ...begun, done };
        pulls.set(key, shared);
      }
      const { done, progress, abort, waiting } = shared;
      const notify = (): void => onPulling(progress.percent);
      notify();
      waiting.add(notify);
      let leave = (): void => undefined;
      const left = new Promise<never>((_resolve, reject) => {
        leave = () => reject(signal.reason as Error);
        signal.addEventListener('abort', leave, { once: true });
      });
      try {
        await Promise.race([done, left]);
      } finally {
        signal.removeEventListener('abort', leave);
        waiting.delete(notify);
        if (waiting.size === 0) abort.abort();
      }
    },
  };
}
