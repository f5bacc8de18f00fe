/** Waits for the end of a worker's container, and tells whether something outside of the worker ended it. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Container, ContainerInspectInfo } from 'dockerode';
import * as z from 'zod';
import { openBytes, within } from '../engine/client.ts';
import { isConnectionLost, isStatus } from '../engine/errorMessages.ts';
import { jsonLines } from '../engine/jsonLines.ts';
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
/** How long the events of a container are awaited, milliseconds. */
const EVENTS_MS = 5000;
/** How long after the end of a container its engine may still note it down, milliseconds of the engine's clock. */
const NOTED_MS = 2000;

const eventSchema = z.object({ Action: z.string() });
/** What the engine notes down when it is asked to end a container. */
const REQUESTS_TO_END = new Set(['kill', 'stop']);
/** Docker's and Podman's names of the end of a container. */
const ENDS = new Set(['die', 'died']);

type ContainerState = ContainerInspectInfo['State'];

/**
 * Whether the container was asked to end through its engine. An engine that stops asks its containers to end first, and
 * goes on answering until they have.
 *
 * Reads the events of the container up to that of its end. Their times do not tell the order: on a busy machine,
 * Docker notes the signal down after the time at which the container ended, but always before the end itself.
 */
async function wasAskedToEnd(container: Container, { StartedAt, FinishedAt }: ContainerState): Promise<boolean> {
  const seconds = (time: string, addMs: number): string => String((Date.parse(time) + addMs) / 1000);
  const options = {
    since: seconds(StartedAt, 0),
    until: seconds(FinishedAt, NOTED_MS),
    filters: JSON.stringify({ container: [container.id] }),
  };
  return within(EVENTS_MS, async ({ abortSignal }) => {
    for await (const value of jsonLines(await openBytes(container, '/events', options, abortSignal))) {
      const { Action } = eventSchema.parse(value);
      if (REQUESTS_TO_END.has(Action)) return true;
      if (ENDS.has(Action)) return false;
    }
    return false;
  });
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
