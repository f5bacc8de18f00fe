/** Reports that images of this machine, or containers of them, may have changed, also by other programs. */
import * as z from 'zod';
import type { Cancel, Clock, Logger } from '../../../domain/core/ports.ts';
import type { ContainerEngine, EngineFinder } from '../engine/discovery.ts';
import { isConnectionLost } from '../engine/errorMessages.ts';
import { jsonLines } from '../engine/jsonLines.ts';

/** What a container does that changes which containers an image has. Docker and Podman use different names. */
const CONTAINER_ACTIONS = new Set(['create', 'destroy', 'remove', 'rename']);
/** The delay before a reconnect, and between two searches for a container engine, milliseconds. */
const AGAIN_MS = 2000;

const eventSchema = z.object({ Type: z.string().optional(), Action: z.string().optional() });

export interface ImageEventsOptions {
  finder: Pick<EngineFinder, 'find'>;
  clock: Pick<Clock, 'after'>;
  logger: Pick<Logger, 'debug'>;
}

/**
 * Calls `changed` from now on, until the returned function is called. Also after each time in which events were not
 * read.
 */
export function followImages({ finder, clock, logger }: ImageEventsOptions, changed: () => void): Cancel {
  const life = new AbortController();
  const { signal } = life;
  let cancelNext: Cancel = () => undefined;

  async function follow({ docker }: ContainerEngine): Promise<void> {
    const events = await docker.getEvents({ filters: { type: ['container', 'image'] }, abortSignal: signal });
    // What happened before is not reported.
    changed();
    for await (const value of jsonLines(events, signal)) {
      const { Type, Action } = eventSchema.parse(value);
      if (Type === 'image' || CONTAINER_ACTIONS.has(Action ?? '')) changed();
    }
  }

  async function begin(): Promise<void> {
    const engine = await finder.find();
    if (signal.aborted) return;
    if (typeof engine !== 'string') {
      await follow(engine).catch((error: unknown) => {
        if (!signal.aborted && !isConnectionLost(error)) {
          logger.debug({ err: error }, 'the events of the container engine could not be read');
        }
      });
      if (signal.aborted) return;
      // Without an engine, there are no images.
      changed();
    }
    cancelNext = clock.after(AGAIN_MS, () => void begin());
  }

  void begin();
  return () => {
    life.abort();
    cancelNext();
  };
}
