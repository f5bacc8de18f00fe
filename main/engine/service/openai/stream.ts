/** Streamed answers: values go out as the job yields them, at the speed of the reader. */
import type { ServerResponse } from 'node:http';
import { isTerminal } from '#contract/api/job.ts';
import { messageOf } from '#contract/core/errors.ts';
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
      // A worker that writes events itself also writes their end.
      if (stream.lastWasEvent()) stream.event('[DONE]');
      stream.end();
    }

    function endWith(raw: string): void {
      const error = sendValue(stream, raw);
      if (error) fail(error);
      else end();
    }

    /** Ends the answer of a completed job. The returned value counts only where nothing was yielded. */
    function finish(): void {
      if (position.index > 0) {
        end();
        return;
      }
      const value = returnedValue(jobs, job);
      if (value === null) fail(noAnswer());
      else if (!isStored(value)) endWith(value);
      else {
        readWhole(texts, value).then(endWith, (error: unknown) => fail(errorOfWorker(messageOf(error))));
      }
    }

    /** Sends the values that are there, as far as the reader takes them. Returns whether the answer is over. */
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

    // One timer for all pulses: the many chunks set none.
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
    attendance.attend(response, job, advance, fail, stream.saidDone);
  };
}
