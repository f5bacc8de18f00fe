/**
 * An engine as a child process: the messages with its host, and its exits. Works forked by Node and by Electron alike.
 */
import { messageOf } from '#contract/core/errors.ts';
import { systemCode } from '#contract/core/systemCode.ts';
import {
  engineInboundSchema,
  type EngineOutbound,
  type EnginePower,
  type EngineStart,
  type EngineTask,
} from '#contract/local/engine.ts';
import { startEngine, type Engine } from './compose.ts';
import { listOwnContainers, removeOwnContainers } from './runtime/containers/ownContainers.ts';
import { createAwakeClock } from './runtime/host/awakeClock.ts';
import { systemClock, systemIds } from './runtime/host/systemClock.ts';
import { DataInUseError, DataUnreadableError } from './store/sqlite/database.ts';
import { durably } from './store/engineStore.ts';

/** What Electron's utility process has in place of process.send. */
interface ParentPort {
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
  postMessage(message: unknown): void;
}

/**
 * A host that was killed is known only when the channel ends, which stops the engine in order. Without a callback, a
 * message sent before that would throw.
 */
const ignoreGoneHost = (): void => undefined;

const stackOf = (error: unknown): string => (error instanceof Error && error.stack) || String(error);

function failureOf(error: unknown, { host, port }: EngineStart): EngineOutbound {
  const message = messageOf(error);
  if (systemCode(error) === 'EADDRINUSE') {
    return { type: 'failed', failure: 'port-taken', message: `Port ${port} on ${host} is taken by another program.` };
  }
  if (error instanceof DataInUseError) return { type: 'failed', failure: 'data-in-use', message };
  if (error instanceof DataUnreadableError) return { type: 'failed', failure: 'data-unreadable', message };
  return { type: 'failed', failure: 'failed', message: `The engine could not start: ${message}` };
}

/** Runs until it is told to stop, or its host is gone. `clock`: the machine's own unless told otherwise. */
export function runEngineProcess(clock = systemClock, storing = durably): void {
  // Files of the engine are readable for their owner only. Workers get the mask that the host was started with.
  process.umask(0o077);
  const parentPort: ParentPort | undefined = process.parentPort;
  const awakeClock = createAwakeClock(clock);
  let engine: Promise<Engine> | null = null;
  let stopping = false;
  let dataDir = '';

  const send = (message: EngineOutbound): void => {
    if (parentPort) parentPort.postMessage(message);
    else if (process.connected) process.send?.(message, undefined, undefined, ignoreGoneHost);
  };

  async function start(settings: EngineStart): Promise<void> {
    engine = startEngine(settings, {
      clock: awakeClock,
      ids: systemIds,
      storing,
      onRecovery: (message) => send({ type: 'recovering', message }),
      onStoreFailure: die,
    });
    try {
      const { address, port, firstKey, notices } = await engine;
      send({ type: 'ready', address, port, pid: process.pid, firstKey, notices: [...notices] });
    } catch (error) {
      if (!(error instanceof DataInUseError)) process.stderr.write(`${stackOf(error)}\n`);
      send(failureOf(error, settings));
      process.exitCode = 1;
      process.disconnect?.();
    }
  }

  /**
   * Ends at once, as a crash would: what is in memory may be ahead of what was committed, so nobody is answered from it
   * any more. Only those whose writes have just failed are still told so, which happens in this very turn.
   */
  function die(message: string): void {
    send({ type: 'ending', message });
    process.nextTick(() => process.nextTick(() => process.exit(1)));
  }

  async function stop(): Promise<void> {
    if (stopping) return;
    stopping = true;
    try {
      const running = await engine;
      const runOn = running?.podsThatRunOn() ?? null;
      if (runOn !== null) send({ type: 'leaving', message: runOn });
      await running?.stop();
      process.exit(0);
    } catch (error) {
      process.stderr.write(`${stackOf(error)}\n`);
      process.exit(1);
    }
  }

  async function changePower({ event, onBattery }: EnginePower): Promise<void> {
    // At once, also during a start: a time-out that runs must not count the sleep.
    if (event === 'suspend') awakeClock.suspend();
    else if (event === 'resume') awakeClock.resume();
    const running = await engine?.catch(() => null);
    running?.powerChanged(onBattery);
  }

  /** Never rejects: the answer has the problem. */
  async function perform(id: number, task: EngineTask, dataDir: string): Promise<void> {
    const answer = { type: 'done' as const, id, problem: null, containers: [] };
    try {
      if (task.name === 'snapshot') await (await engine)?.snapshot(task.file);
      else if (task.name === 'remove-containers') await removeOwnContainers(dataDir);
      else {
        send({ ...answer, containers: await listOwnContainers(dataDir) });
        return;
      }
      send(answer);
    } catch (error) {
      send({ ...answer, problem: messageOf(error) });
    }
  }

  function receive(message: unknown): void {
    const parsed = engineInboundSchema.safeParse(message);
    if (!parsed.success) return;
    if (parsed.data.type === 'stop') void stop();
    else if (parsed.data.type === 'ping') send({ type: 'pong' });
    else if (parsed.data.type === 'power') void changePower(parsed.data);
    else if (parsed.data.type === 'task') void perform(parsed.data.id, parsed.data.task, dataDir);
    else if (engine === null) {
      ({ dataDir } = parsed.data);
      void start(parsed.data);
    }
  }

  if (parentPort) parentPort.on('message', ({ data }) => receive(data));
  else {
    process.on('message', receive);
    // The host is gone: nobody would stop us later.
    process.on('disconnect', () => void stop());
  }
  process.on('SIGTERM', () => void stop());
  // Ctrl+C reaches the whole process group; the host decides, and tells.
  process.on('SIGINT', () => undefined);
}
