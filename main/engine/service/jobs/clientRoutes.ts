/** The job operations that clients call. On the hot path: no framework, payloads pass through as text. */
import { isTerminal, type Health } from '#contract/api/job.ts';
import { limits } from '#contract/core/limits.ts';
import type { Waiting } from '#contract/local/engine.ts';
import type { LimitSettings, StreamAnswer } from '#contract/local/settings.ts';
import type { Job } from '../../domain/jobs/jobRecord.ts';
import type { Jobs } from '../../domain/jobs/jobs.ts';
import { jobViewText } from '../../domain/jobs/views/statusView.ts';
import type { Clock, Logger } from '../../domain/core/ports.ts';
import type { LargeTexts } from '../../domain/jobs/payload/largeBodies.ts';
import { isStored } from '../../domain/jobs/payload/payloadRef.ts';
import { mayConsume } from '../http/auth.ts';
import type { BodyIntake } from '../http/bodyParser.ts';
import { queryNumber, type BriefRoute, type Call } from '../http/route.ts';
import { headerText, JOB_STATUS_HEADER, WAITING_HEADER, wantsStreamEnvelope } from '../http/compat.ts';
import { sendError, sendJoined, sendJson } from '../http/errorMapper.ts';
import type { JobResponse } from '../http/types.ts';
import { readBody } from '../http/guards.ts';
import { sendParts } from '../http/streamBody.ts';

export interface JobRoutesOptions {
  clock: Clock;
  jobs: Jobs;
  intake: BodyIntake;
  texts: LargeTexts;
  logger: Logger;
  health(endpointId: string): Health;
  /** Why a queued job waits. */
  waitsFor(job: Job): Pick<Waiting, 'code' | 'message'>;
  /** The limits in force. */
  limits(): LimitSettings;
  /** What /stream answers. */
  streamAnswer(): StreamAnswer;
}

/** Of chunks that are read without being taken. */
const PEEKED_BYTES = 4_000_000;

export function createJobRoutes(options: JobRoutesOptions): Record<string, BriefRoute> {
  const { clock, jobs, intake, texts, logger, health } = options;
  const settledEnd = (job: Job): boolean => job.pendingWrites === 0 && isTerminal(job.status);

  function setWaitingHeaders(response: JobResponse, job: Job): void {
    if (job.status !== 'IN_QUEUE' || response.headersSent) return;
    const { code, message } = options.waitsFor(job);
    response.setHeader(WAITING_HEADER, headerText(`${code}: ${message}`));
  }

  function sendView(response: JobResponse, job: Job): void {
    setWaitingHeaders(response, job);
    const view = jobViewText(job, jobs.output(job));
    if (typeof view === 'string') sendJson(response, 200, view);
    else void sendParts(response, 200, view, texts, logger);
  }

  /**
   * Answers as soon as `ready`, or when `holdMs` are over. Woken by the job, never polling; a caller who goes away frees
   * all of it, and the job goes on. `gather`: what else arrives in this turn of the event loop goes with the answer.
   */
  function answerWhen(
    call: Call,
    job: Job,
    holdMs: number,
    ready: () => boolean,
    answer: () => void,
    gather = false,
  ): void {
    let gathering: NodeJS.Immediate | undefined;
    const finish = (): void => {
      clearImmediate(gathering);
      unwatch();
      timeUp();
      call.response.off('close', leave);
    };
    const settle = (): void => {
      finish();
      // Its key is good for nothing any more, and that was answered.
      if (call.response.writableEnded) return;
      try {
        // Removed while it was waited for: its ttl has passed.
        if (job.removed) jobs.find(call.endpoint.id, job.id);
        answer();
      } catch (error) {
        sendError(call.response, error, logger);
      }
    };
    const leave = (): void => finish();
    const check = (): void => {
      if (!job.removed && !ready()) return;
      if (gather) gathering ??= setImmediate(settle);
      else settle();
    };
    const unwatch = jobs.watch(job, check);
    const timeUp = clock.after(holdMs, settle);
    call.response.on('close', leave);
    check();
  }

  /** Answers once the job's last change is on disk. */
  function answerSettled(call: Call, job: Job, answer: () => void): void {
    if (job.pendingWrites === 0) answer();
    else answerWhen(call, job, limits.streamHoldMs, () => job.pendingWrites === 0, answer);
  }

  function submit(call: Call, sync: boolean): void {
    const { runBodyBytes, runsyncBodyBytes, waitMs: range, retentionMs: retention } = options.limits();
    const waitMs = sync ? queryNumber(call.query, 'wait', range) : undefined;
    const limitBytes = sync ? runsyncBodyBytes : runBodyBytes;
    const retentionMs = !sync ? retention.run : waitMs === undefined ? retention.runsync : retention.runsyncWithWait;
    intake.request(call.request, limitBytes, (bodyError, checked) => {
      try {
        if (!checked) throw bodyError;
        const { terms: request, body } = checked;
        const receivedAt = clock.elapsed();
        jobs.submit({ endpointId: call.endpoint.id, request, body, sync, retentionMs }, (error, job) => {
          if (error) sendError(call.response, error, logger);
          else if (!sync) sendJson(call.response, 200, `{"id":"${job.id}","status":"IN_QUEUE"}`);
          else awaitEnd(call, job, Math.max(0, receivedAt + (waitMs ?? range.default) - clock.elapsed()));
        });
      } catch (error) {
        if (checked && isStored(checked.body)) texts.discard(checked.body);
        sendError(call.response, error, logger);
      }
    });
  }

  function awaitEnd(call: Call, job: Job, holdMs: number): void {
    answerWhen(
      call,
      job,
      holdMs,
      () => settledEnd(job),
      () => sendView(call.response, job),
    );
  }

  function status(call: Call): void {
    const job = jobs.find(call.endpoint.id, call.first);
    const ttlMs = queryNumber(call.query, 'ttl', options.limits().ttlMs);
    if (ttlMs === undefined) {
      answerSettled(call, job, () => sendView(call.response, job));
      return;
    }
    jobs.setTtl(job, ttlMs, (error) => {
      if (error) sendError(call.response, error, logger);
      else sendView(call.response, job);
    });
  }

  const unreadChunks = ({ chunks, chunksRead }: Job): number => (chunks ? chunks.ready - chunksRead : 0);

  /** The next chunks and how many are left after them. A key that may only read gets the chunks without consuming them. */
  function nextChunks(job: Job, consumes: boolean): { texts: string[]; left: number } {
    if (consumes) return { texts: jobs.read(job), left: unreadChunks(job) };
    if (!job.chunks) return { texts: [], left: 0 };
    const position = { index: job.chunksRead, row: job.chunks.readRow };
    const texts = jobs.readFrom(job, position, PEEKED_BYTES);
    return { texts, left: job.chunks.ready - position.index };
  }

  function stream(call: Call): void {
    const job = jobs.find(call.endpoint.id, call.first);
    const holdMs = queryNumber(call.query, 'wait', options.limits().waitMs) ?? limits.streamHoldMs;
    const envelope = wantsStreamEnvelope(call.request.headers, call.query, options.streamAnswer());
    const answer = (): void => {
      const { texts, left } = nextChunks(job, mayConsume(call.caller));
      // Readers stop at an end state: it is sent only with the last chunk, and only once it is on disk.
      const status = isTerminal(job.status) && (left > 0 || job.pendingWrites > 0) ? 'IN_PROGRESS' : job.status;
      call.response.setHeader(JOB_STATUS_HEADER, status);
      setWaitingHeaders(call.response, job);
      // A reader who knows the number of attempts sees when a stream has begun anew.
      const retries = job.retries > 0 ? `,"retries":${job.retries}` : '';
      if (envelope) sendJoined(call.response, `{"status":"${status}"${retries},"stream":[`, texts, ']}');
      else sendJoined(call.response, '[', texts, ']');
    };
    const attempt = job.retries;
    answerWhen(
      call,
      job,
      holdMs,
      () => unreadChunks(job) > 0 || settledEnd(job) || job.retries !== attempt,
      answer,
      true,
    );
  }

  function cancel(call: Call): void {
    // Clients send `{}` or nothing; it is read and means nothing.
    readBody(call.request, limits.managementBodyBytes, (bodyError) => {
      try {
        if (bodyError) throw bodyError;
        const job = jobs.find(call.endpoint.id, call.first);
        jobs.cancel(job, (error) => {
          if (error) sendError(call.response, error, logger);
          else sendJson(call.response, 200, `{"id":"${job.id}","status":"${job.status}"}`);
        });
      } catch (error) {
        sendError(call.response, error, logger);
      }
    });
  }

  const readOrPost = ['GET', 'POST'];
  return {
    run: { methods: ['POST'], need: 'jobs', rate: 'run', run: (call) => submit(call, false) },
    runsync: { methods: ['POST'], need: 'jobs', rate: 'runsync', run: (call) => submit(call, true) },
    status: {
      methods: readOrPost,
      // A ttl decides when the job is deleted.
      need: ({ query }) => ((query?.get('ttl') ?? null) === null ? 'read' : 'jobs'),
      rate: 'status',
      run: status,
    },
    'status-sync': {
      methods: readOrPost,
      need: 'read',
      rate: 'status',
      run(call) {
        const job = jobs.find(call.endpoint.id, call.first);
        const range = options.limits().waitMs;
        awaitEnd(call, job, queryNumber(call.query, 'wait', range) ?? range.default);
      },
    },
    stream: { methods: readOrPost, need: 'read', rate: 'stream', run: stream },
    cancel: { methods: ['POST'], need: 'jobs', rate: 'cancel', run: cancel },
    health: {
      methods: ['GET'],
      need: 'read',
      run: (call) => sendJson(call.response, 200, JSON.stringify(health(call.endpoint.id))),
    },
  };
}
