/** Answers that are streamed: what the job yields goes out as it comes, as fast as the reader takes it. */
import type { ServerResponse } from 'node:http';
import { isTerminal } from '#contract/api/job.ts';
import { limits } from '#contract/core/limits.ts';
import type { ChunkLog, Job } from '../../domain/jobs/jobRecord.ts';
import type { Jobs } from '../../domain/jobs/jobs.ts';
import type { Cancel, Clock } from '../../domain/core/ports.ts';
import type { LargeTexts } from '../../domain/jobs/payload/largeBodies.ts';
import { isStored } from '../../domain/jobs/payload/payloadRef.ts';
import { createEventStream } from '../http/sse.ts';
import { outputOf, sendValue } from './answer.ts';
import { sendFailure, type Attendance } from './cancelOnDisconnect.ts';
import { begunAnew, errorOfJob, errorOfWorker, noAnswer, type OpenaiError } from './errors.ts';
import { READ_BYTES, readWhole, returnedValue } from './values.ts';

export interface StreamedAnswersOptions {
  clock: Clock;
  jobs: Jobs;
  texts: LargeTexts;
  attendance: Attendance;
}

export function createStreamedAnswers(options: StreamedAnswersOptions): (response: ServerResponse, job: Job) => void {
  const { clock, jobs, texts, attendance } = options;

  return (response, job) => {
    const stream = createEventStream(response);
    let log: ChunkLog | null = null;
    const position = { index: 0, row: 0 };
    let sentAt = clock.elapsed();

    function fail(error: OpenaiError): void {
      silence();
      if (!stream.begun()) {
        sendFailure(response, error);
        return;
      }
      stream.event(error.body);
      stream.end();
    }

    function end(): void {
      silence();
      // The end of its events is told by who made them.
      if (stream.lastWasEvent()) stream.event('[DONE]');
      stream.end();
    }

    function endWith(raw: string): void {
      const error = sendValue(stream, raw);
      if (error) fail(error);
      else end();
    }

    /** The job has completed, and all it yielded is sent; what it returned counts where it yielded nothing. */
    function finish(): void {
      if (position.index > 0) {
        end();
        return;
      }
      const value = returnedValue(jobs, job);
      if (value === null) fail(noAnswer());
      else if (!isStored(value)) endWith(value);
      else {
        readWhole(texts, value).then(endWith, (error: unknown) => fail(errorOfWorker((error as Error).message)));
      }
    }

    /** Sends what is there, as far as the reader takes it. Answers whether the answer is over. */
    function advance(): boolean {
      if (job.chunks !== log) {
        if (position.index > 0) {
          fail(begunAnew());
          return true;
        }
        log = job.chunks;
        position.row = log?.firstRow ?? 0;
      }
      while (!stream.isFull()) {
        const chunks = jobs.readFrom(job, position, READ_BYTES);
        if (chunks.length === 0) break;
        sentAt = clock.elapsed();
        for (const text of chunks) {
          const error = sendValue(stream, outputOf(text));
          if (!error) continue;
          fail(error);
          return true;
        }
        stream.flush();
      }
      if (log && position.index < log.ready) return false;
      if (job.pendingWrites > 0 || !isTerminal(job.status)) return false;
      const error = errorOfJob(job);
      if (error) fail(error);
      else finish();
      return true;
    }

    // One timer that looks when it may be time: chunks are many, and set none.
    function pulseAfter(ms: number): Cancel {
      return clock.after(ms, () => {
        const idleMs = clock.elapsed() - sentAt;
        const due = idleMs >= limits.eventStreamPulseMs;
        if (due) stream.pulse();
        nextPulse = pulseAfter(due ? limits.eventStreamPulseMs : limits.eventStreamPulseMs - idleMs);
      });
    }
    let nextPulse = pulseAfter(limits.eventStreamPulseMs);
    const silence = (): void => nextPulse();
    response.on('close', silence);
    attendance.attend(response, job, advance, fail);
  };
}
