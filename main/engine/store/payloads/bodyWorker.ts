/** The thread for large bodies, seen from the event loop: started with the first of them, one at a time, gone when idle. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError } from '#contract/core/errors.ts';
import { defaultLimits } from '#contract/local/settings.ts';
import type { Logger } from '../../domain/core/ports.ts';
import type {
  BodyAnswer,
  BodyFacts,
  BodyKind,
  BodyTask,
  BodyThreadData,
  CheckLimits,
  Checked,
} from './bodyWorkerMain.ts';
import type { BodyPieces } from './bodyChannel.ts';
import type { TextFiles } from './payloadFiles.ts';

const IDLE_MS = 30_000;
/** What parsing may take: many times the largest body, whatever is in it. */
const HEAP_MB = 1024;
const FULL_TEXT =
  'The disk that holds the queue is full. Nothing was accepted and nothing is lost; free some space and try again.';
const FULL = new Set(['ENOSPC', 'EDQUOT']);

/** The thread's program: beside the engine's entry, or one folder above where the engine is bundled in pieces. */
function programFile(): string {
  const here = import.meta.dirname;
  if (import.meta.filename.endsWith('.ts')) return join(here, '../../../bodyThread.ts');
  const beside = join(here, 'bodyThread.js');
  return existsSync(beside) ? beside : join(here, '../bodyThread.js');
}

export interface BodyThreadOptions {
  /** Seals bodies with storage credentials. */
  key: Uint8Array;
  /** Seals bodies with the address of a webhook; the same key unless told otherwise. */
  lastingKey?: Uint8Array;
  files: TextFiles;
  logger: Logger;
  /** The limits in force; those of limits.ts unless told otherwise. */
  limits?(): CheckLimits;
  /** The thread's program, unless it is the usual one. */
  program?: string;
  heapMb?: number;
  idleMs?: number;
}

export interface BodyThread {
  /**
   * Checks a body (`route`: where an OpenAI client sent it), and writes what is to be kept; it is handed over and cannot be used any more.
   * Rejects with AppError; then nothing is left on disk.
   */
  check<K extends BodyKind>(kind: K, body: BodyPieces, route?: string): Promise<BodyFacts[K]>;
  /** Ends the thread; what it has not answered is refused. */
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
  const limitsNow = options.limits ?? defaultLimits;
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
      // One that was idle is no longer the one that works.
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
          if ('facts' in answer) resolve(answer.facts as BodyFacts[K]);
          else reject(toError(answer));
        };
        const { executionTimeoutMs, ttlMs, chunkBytes } = limitsNow();
        const limits = { executionTimeoutMs, ttlMs, chunkBytes };
        const task = { kind, route, limits, length: body.length, file, path: files.pathOf(file) };
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
