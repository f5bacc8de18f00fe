/** `hangar deploy --watch`: shows each change of the handler, whether it runs, and the log of its workers. */
import { setTimeout as later } from 'node:timers/promises';
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import type { CommandClient } from '#contract/command/index.ts';
import type { WorkerRecord } from '#contract/local/engine.ts';
import type { Cli } from '../cli.ts';
import { CommandFailure, exitCodes } from '../failure.ts';
import { printLogLine } from '../output/log.ts';

/** Interval of the polls of the endpoint's state. */
const EVERY_MS = 500;

interface Watched {
  accountId: string;
  endpointId: string;
  path: string;
}

export type WatchState = { kind: 'starting' } | { kind: 'running' } | { kind: 'failing'; reason: string };

/** The parts of an endpoint's row and of its workers that show whether the handler runs. */
export interface WatchFacts {
  readiness: Pick<NonNullable<EndpointRow['readiness']>, 'available' | 'reason' | 'trouble' | 'reload'> | null;
  workers: readonly Pick<WorkerRecord, 'version' | 'state'>[];
}

export interface WatchStep {
  /** Whether a change of files was applied since the last step. */
  isReloaded: boolean;
  /** Why changes are not detected; null if they are. */
  blindness: string | null;
  state: WatchState;
}

/**
 * Tracks the state of an endpoint from poll to poll. A handler runs once a worker with the newest files waits for jobs,
 * and once changes of the files are noticed, or never will be.
 */
export function createWatchTracker(): (facts: WatchFacts) => WatchStep {
  let versionBefore: number | null = null;
  return ({ readiness, workers }) => {
    const reload = readiness?.reload ?? null;
    const version = reload?.version ?? 0;
    const isReloaded = versionBefore !== null && version > versionBefore;
    versionBefore = version;
    const blindness = reload?.problem ?? null;
    const answer = (state: WatchState): WatchStep => ({ isReloaded, blindness, state });
    if (readiness?.available === false) {
      return answer({ kind: 'failing', reason: readiness.reason ?? 'It cannot run.' });
    }
    const trouble = readiness?.trouble ?? null;
    if (trouble !== null) return answer({ kind: 'failing', reason: trouble.reason });
    const isWatched = reload === null || reload.watching || blindness !== null;
    const isReady = workers.some(
      (worker) => (worker.version ?? 0) >= version && (worker.state === 'idle' || worker.state === 'running'),
    );
    return answer({ kind: isWatched && isReady ? 'running' : 'starting' });
  };
}

/** Keeps at least one worker; returns a function that restores the setting. */
async function keepWorker(client: CommandClient, { accountId, endpointId }: Watched): Promise<() => Promise<void>> {
  const ref = { accountId, endpointId };
  const { endpoint } = await client.endpoints.get(ref);
  if (endpoint.workersMin > 0 || endpoint.workersMax < 1) return () => Promise.resolve();
  await client.endpoints.update({ ...ref, template: {}, endpoint: { workersMin: 1 } });
  return async () => {
    await client.endpoints.update({ ...ref, template: {}, endpoint: { workersMin: endpoint.workersMin } });
  };
}

function report(cli: Cli, { isReloaded, blindness, state }: WatchStep, before: WatchStep | null): void {
  const say = (event: string, sentence: string, more: object = {}): void =>
    cli.output.isForPerson ? cli.output.line(sentence) : cli.output.json({ event, ...more });
  if (isReloaded) say('reloaded', cli.output.style('cyan', 'A file has changed: new workers start.'));
  if (blindness !== null && blindness !== before?.blindness) {
    say('not-watching', cli.output.style('yellow', `Changes are not watched: ${blindness}`), { reason: blindness });
  }
  const reasonOf = (one: WatchState | undefined): string | null => (one?.kind === 'failing' ? one.reason : null);
  const isNew = isReloaded || state.kind !== before?.state.kind || reasonOf(state) !== reasonOf(before.state);
  if (!isNew) return;
  if (state.kind === 'running') say('running', cli.output.style('green', 'It runs.'));
  else if (state.kind === 'failing') {
    say('failing', cli.output.style('red', `It cannot run: ${state.reason}`), { reason: state.reason });
  }
}

async function followState(cli: Cli, client: CommandClient, watched: Watched, signal: AbortSignal): Promise<void> {
  const { accountId, endpointId } = watched;
  const track = createWatchTracker();
  for (let before: WatchStep | null = null; !signal.aborted;) {
    const [{ rows }, workers] = await Promise.all([
      client.endpoints.now({ accountId }),
      client.machine.workers({ accountId }),
    ]);
    const row = rows.find(({ id }) => id === endpointId);
    if (row === undefined) throw new CommandFailure(exitCodes.notFound, 'The endpoint was deleted.');
    const own = workers.filter((worker) => worker.endpointId === endpointId);
    const step = track({ readiness: row.readiness, workers: own });
    report(cli, step, before);
    before = step;
    await later(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function followLog(cli: Cli, client: CommandClient, watched: Watched, signal: AbortSignal): Promise<void> {
  const { accountId, endpointId } = watched;
  const question = { accountId, filter: { endpointId } };
  const { lines: latest } = await client.logs.page({ ...question, limit: 1 });
  const batches = await client.logs.follow({ ...question, after: latest.at(-1)?.n ?? 0 }, { signal });
  for await (const { lines } of batches) {
    for (const line of lines) {
      if (cli.output.isForPerson) printLogLine(cli.output, line, null);
      else cli.output.json({ event: 'log', ...line });
    }
  }
}

/**
 * Runs until Ctrl+C, a signal, or the end of the endpoint. Throws CommandFailure `interrupted`, or the reason of the
 * end.
 */
export async function watchEndpoint(cli: Cli, client: CommandClient, watched: Watched): Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const putBack = await keepWorker(client, watched);
  const interrupted = new Promise<never>((_resolve, reject) => {
    cli.onInterrupt(() => reject(new CommandFailure(exitCodes.interrupted, '')));
  });
  cli.onTermination(putBack);
  cli.output.note(`Watching ${watched.path}. Ctrl+C ends it.`);
  try {
    await Promise.race([
      interrupted,
      followState(cli, client, watched, signal),
      followLog(cli, client, watched, signal).catch((thrown: unknown) => {
        if (!signal.aborted) throw thrown;
      }),
    ]);
  } finally {
    stopping.abort();
    cli.onInterrupt(null);
    cli.onTermination(null);
    await putBack();
  }
}
