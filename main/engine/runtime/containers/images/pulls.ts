/** Provides images: it uses the images on this machine and pulls the others, once for all callers. */
import type { ContainerEngine } from '../engine/discovery.ts';
import { isRefusal, isStatus, REFUSED_MINUTES } from '../engine/errorMessages.ts';
import { registryOf, tagged } from './imageName.ts';
import { jsonLines } from '../engine/jsonLines.ts';
import { createPullProgress, pullEventSchema, type PullProgress } from './pullProgress.ts';

export interface Credentials {
  username: string;
  password: string;
}

interface Pull {
  done: Promise<void>;
  progress: PullProgress;
  abort: AbortController;
  /** The progress listeners of all callers. */
  waiting: Set<() => void>;
}

export interface ImagePulls {
  /**
   * Resolves once the image is on this machine. Rejects with the error of the engine, or when `signal` aborts. A pull
   * without callers is aborted. A pull with refused credentials is not repeated for a while. During a pull, `onPulling`
   * is called at each step with the progress. `isUpdate`: an image that is on this machine is pulled, too, because its
   * tag may have a newer one.
   */
  get(
    image: { engine: ContainerEngine; name: string; credentials: Credentials | null; isUpdate?: boolean },
    signal: AbortSignal,
    onPulling: (progress: Pick<PullProgress, 'percent' | 'amounts'>) => void,
  ): Promise<void>;
}

async function isHere({ docker }: ContainerEngine, image: string): Promise<boolean> {
  try {
    await docker.getImage(image).inspect();
    return true;
  } catch (error) {
    if (isStatus(error, 404)) return false;
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
  let failure: string | null = null;
  for await (const value of jsonLines(answer, abort.signal)) {
    const event = pullEventSchema.parse(value);
    // The engine answers 200 first and reports errors in the stream.
    if (event.error !== undefined) failure = event.error;
    progress.take(event);
    for (const notify of waiting) notify();
  }
  abort.signal.throwIfAborted();
  if (failure !== null) throw new Error(failure);
}

export function createImagePulls(): ImagePulls {
  const pulls = new Map<string, Pull>();
  /** Pulls with refused credentials, with the time of the refusal, monotonic milliseconds. */
  const refused = new Map<string, { error: unknown; at: number }>();

  /** Throws the error of the same pull if it was refused recently. */
  function throwRefusal(key: string): void {
    const refusal = refused.get(key);
    if (refusal && performance.now() - refusal.at < REFUSED_MINUTES * 60_000) throw refusal.error;
    refused.delete(key);
  }

  /** Unless another pull of the same image has started since. */
  function forget(key: string, abort: AbortController): void {
    if (pulls.get(key)?.abort === abort) pulls.delete(key);
  }

  return {
    async get({ engine, name, credentials, isUpdate = false }, signal, onPulling) {
      const image = tagged(name);
      if (!isUpdate && (await isHere(engine, image))) return;
      signal.throwIfAborted();
      const key = JSON.stringify([engine.place.address, image, credentials]);
      throwRefusal(key);
      let shared = pulls.get(key);
      if (!shared) {
        const begun = { progress: createPullProgress(), abort: new AbortController(), waiting: new Set<() => void>() };
        const done = pull(engine, image, credentials, begun)
          .catch((error: unknown) => {
            if (credentials !== null && isRefusal(error)) {
              refused.set(key, { error, at: performance.now() });
            }
            throw error;
          })
          .finally(() => forget(key, begun.abort));
        shared = { ...begun, done };
        pulls.set(key, shared);
      }
      const { done, progress, abort, waiting } = shared;
      const notify = (): void => onPulling(progress);
      notify();
      waiting.add(notify);
      let leave = (): void => undefined;
      const aborted = new Promise<void>((resolve) => {
        leave = resolve;
        signal.addEventListener('abort', leave, { once: true });
      });
      try {
        await Promise.race([done, aborted]);
        signal.throwIfAborted();
      } finally {
        signal.removeEventListener('abort', leave);
        waiting.delete(notify);
        if (waiting.size === 0) {
          abort.abort();
          // Who asks for the image now starts a new pull and does not join the aborted one.
          forget(key, abort);
        }
      }
    },
  };
}
