/** Waits for the end of a worker's container, and tells whether something outside of the worker ended it. */
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { Container, ContainerInspectInfo } from 'dockerode';
import * as z from 'zod';
import { openBytes, within } from '../engine/client.ts';
import { isConnectionLost, isStatus } from '../engine/errorMessages.ts';
import { RECONNECT_MS } from './output.ts';

export interface ContainerEnd {
  code: number;
  outOfMemory: boolean;
  /** What ended it from outside: a stop or crash of the container engine, or a person. Null where it ended by itself. */
  outside: string | null;
}

/** The end of a container whose state is unknown. */
export class ContainerLostError extends Error {
  override readonly name = 'ContainerLostError';
}

const ENGINE_AWAY = 'the container engine stopped answering while it ran';
const STOPPED = 'its container was stopped by the container engine or by another program';

/** The response of `wait`, after the end of the container. */
const waitAnswerSchema = z.object({ StatusCode: z.number() });
/** How long the answer with past events is awaited, milliseconds. */
const EVENTS_MS = 5000;

type ContainerState = ContainerInspectInfo['State'];

/**
 * Whether the container was asked to end through its engine. An engine that stops asks its containers to end first, and
 * goes on answering until they have.
 */
async function wasAskedToEnd(container: Container, { StartedAt, FinishedAt }: ContainerState): Promise<boolean> {
  const seconds = (time: string, addMs: number): string => String((Date.parse(time) + addMs) / 1000);
  const options = {
    since: seconds(StartedAt, 0),
    // The engine writes fractions of a millisecond, too.
    until: seconds(FinishedAt, 1),
    filters: JSON.stringify({ container: [container.id], event: ['kill', 'stop'] }),
  };
  const events = await within(EVENTS_MS, async ({ abortSignal }) =>
    text(await openBytes(container, '/events', options, abortSignal)),
  );
  return events.trim() !== '';
}

async function endOfState(container: Container, code: number, state: ContainerState): Promise<ContainerEnd> {
  const end = { code, outOfMemory: state.OOMKilled };
  if (state.OOMKilled) return { ...end, outside: null };
  try {
    return { ...end, outside: (await wasAskedToEnd(container, state)) ? STOPPED : null };
  } catch (error) {
    // An engine without past events says nothing about them; one that is gone ended the container.
    return { ...end, outside: isConnectionLost(error) ? ENGINE_AWAY : null };
  }
}

/**
 * Resolves with the end of a container. A broken wait does not tell the state of the container, so this function
 * inspects it, and waits again while it runs. Throws ContainerLostError where the engine does not answer, or the
 * container is gone.
 */
export async function endOf(container: Container, wait: Promise<unknown>): Promise<ContainerEnd> {
  try {
    for (let waiting = wait; ; waiting = container.wait({ condition: 'not-running' })) {
      const answer = waitAnswerSchema.safeParse(await waiting.catch(() => null));
      const { State: state } = await container.inspect();
      if (answer.success) return await endOfState(container, answer.data.StatusCode, state);
      if (!state.Running) return await endOfState(container, state.ExitCode, state);
      await delay(RECONNECT_MS);
    }
  } catch (cause) {
    const message = isStatus(cause, 404) ? 'its container was removed while it ran' : ENGINE_AWAY;
    throw new ContainerLostError(message, { cause });
  }
}
