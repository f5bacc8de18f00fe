/**
 * The thread for large bodies, as the event loop uses it. It starts with the first body, checks one at a time, and ends
 * when it is idle.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError } from '#contract/core/errors.ts';
import type { LimitSettings } from '#contract/local/settings.ts';
import type { Logger } from '../../domain/core/ports.ts';
import type { BodyAnswer, BodyFacts, BodyKind, BodyTask, BodyThreadData, Checked } from './bodyWorkerMain.ts';
import type { BodyPieces } from './bodyChannel.ts';
import type { TextFiles } from './payloadFiles.ts';

const IDLE_MS = 30_000;
/** The memory for parsing, MB: many times the largest body, whatever its content. */
const HEAP_MB = 1024;
const FULL_TEXT =
  'The disk that holds the queue is full. Nothing was accepted and nothing is lost; free some space and try again.';
const FULL = new Set(['ENOSPC', 'EDQUOT']);

/** The program of the thread: in the folder of the engine's entry, or one folder above it in a bundle. */
function programFile(): string {
  const here = import.meta.dirname;
  if (import.meta.filename.endsWith('.ts')) return join(here, '../../../bodyThread.ts');
  const beside = join(here, 'bodyThread.js');
  return existsSync(beside) ? beside : join(here, '../bodyThread.js');
}

export interface BodyThreadOptions {
  /** Encrypts bodies with storage credentials. */
  key: Uint8Array;
  /** Encrypts bodies with the address of a webhook. Default: `key`. */
  lastingKey?: Uint8Array;
  files: TextFiles;
  logger: Logger;
  /** The limits in force. */
  limits(): LimitSettings;
  /** Another program for the thread, for tests. */
  program?: string;
  heapMb?: number;
  idleMs?: number;
}

export interface BodyThread {
  /**
   * Checks a body and writes it to a file. The body is transferred to the thread and unusable afterwards. `route`: the
   * path of an OpenAI request. Rejects with AppError; then no file remains.
   */
  check<K extends BodyKind>(kind: K, body: BodyPieces, route?: string): Promise<BodyFacts[K]>;
  /** Ends the thread and rejects its open tasks. */
  stop(): Promise<void>;
}

type Failed = Exclude<BodyAnswer, Checked<BodyKind>>;

interface Waiting {
  task: Omit<BodyTask, 'pieces'>;
  body: BodyPieces;
  settle(answer: BodyAnswer | AppError): void;
}

const ended = (): AppError =>
  new AppError('UNAVAILABLE', 'The body could not be checked: the thread that does so ended. Send it again.', {
    retryAfterMs: 1000,
  });

export function createBodyThread(options: BodyThreadOptions): BodyThread {
  const { program = programFile(), key, lastingKey = key, files, logger, heapMb = HEAP_MB, idleMs = IDLE_MS } = options;
  const waiting: Waiting[] = [];
  let current: Waiting | null = null;
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | null = null;
  let stopped = false;

  function start(): Worker {
    const workerData: BodyThreadData = { key, lastingKey };
    const made = new Worker(program, {
      workerData,
      execArgv: [],
      name: 'bodies',
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    let reason: AppError | null = null;
    made.on('message', (answer: BodyAnswer) => finish(answer));
    made.on('error', (error: Error & { code?: string }) => {
      logger.error({ err: error }, 'the body thread failed');
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
        reason = new AppError(
          'TOO_LARGE',
          `The body takes more than ${heapMb} MB of memory to check. Send less at a time.`,
        );
      }
    });
    made.on('exit', () => {
      // Another thread has already replaced this idle one.
      if (worker !== made) return;
      worker = null;
      if (current) finish(reason ?? ended());
    });
    return made;
  }

  function next(): void {
    if (current || stopped) return;
    current = waiting.shift() ?? null;
    if (!current) {
      idle ??= setTimeout(() => {
        idle = null;
        void worker?.terminate();
        worker = null;
      }, idleMs).unref();
      return;
    }
    if (idle) clearTimeout(idle);
    idle = null;
    worker ??= start();
    const pieces = current.body.handOver();
    const task: BodyTask = { ...current.task, pieces };
    worker.postMessage(task, [pieces]);
  }

  function finish(answer: BodyAnswer | AppError): void {
    const done = current;
    current = null;
    done?.settle(answer);
    next();
  }

  function toError(answer: Failed | AppError): Error {
    if (answer instanceof AppError) return answer;
    const { code, message, errno } = answer.failure;
    if (code !== null) return new AppError(code, message);
    if (errno !== null && FULL.has(errno)) return new AppError('STORAGE_FULL', FULL_TEXT);
    const cause = new Error(`${message}${errno === null ? '' : ` (${errno})`}`);
    return new AppError('INTERNAL', 'The body could not be checked and stored. The log has the details.', { cause });
  }

  return {
    check: <K extends BodyKind>(kind: K, body: BodyPieces, route = '') =>
      new Promise<BodyFacts[K]>((resolve, reject) => {
        if (stopped) {
          body.drop();
          reject(ended());
          return;
        }
        const file = files.newName();
        const settle = (answer: BodyAnswer | AppError): void => {
          if (!('facts' in answer && answer.wrote)) files.remove(file);
          // oxlint-disable-next-line typescript/consistent-type-assertions -- the thread answers a task of kind K with facts of kind K
          if ('facts' in answer) resolve(answer.facts as BodyFacts[K]);
          else reject(toError(answer));
        };
        const task = { kind, route, limits: options.limits(), length: body.length, file, path: files.pathOf(file) };
        waiting.push({ task, body, settle });
        next();
      }),
    async stop() {
      stopped = true;
      if (idle) clearTimeout(idle);
      idle = null;
      await worker?.terminate();
      worker = null;
      for (const { body, settle } of waiting.splice(0)) {
        body.drop();
        settle(ended());
      }
    },
  };
}
