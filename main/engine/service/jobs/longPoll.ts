/** Long polling: a request waits until its job changes, and never polls. */
import { limits } from '#contract/core/limits.ts';
import type { Job } from '../../domain/jobs/jobRecord.ts';
import type { Jobs } from '../../domain/jobs/jobs.ts';
import type { Clock, Logger } from '../../domain/core/ports.ts';
import { sendError } from '../http/errorMapper.ts';
import type { Call } from '../http/route.ts';

export interface LongPoll {
  /**
   * Answers as soon as `ready`, or after `holdMs`. The job wakes it. A caller that goes away frees everything, and the
   * job goes on. With `gather`, the changes of the same turn of the event loop go with the answer.
   */
  answerWhen(call: Call, job: Job, holdMs: number, ready: () => boolean, answer: () => void, gather?: boolean): void;
  /** Answers once the last change of the job is on disk. */
  answerSettled(call: Call, job: Job, answer: () => void): void;
}

export function createLongPoll({ clock, jobs, logger }: { clock: Clock; jobs: Jobs; logger: Logger }): LongPoll {
  const answerWhen: LongPoll['answerWhen'] = (call, job, holdMs, ready, answer, gather = false) => {
    let gathering: NodeJS.Immediate | undefined;
    const finish = (): void => {
      clearImmediate(gathering);
      unwatch();
      timeUp();
      call.response.off('close', leave);
    };
    const settle = (): void => {
      finish();
      // The key was revoked, and the refusal was sent.
      if (call.response.writableEnded) return;
      try {
        // A job whose ttl passed meanwhile is removed; `find` throws NOT_FOUND.
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
  };

  return {
    answerWhen,
    answerSettled(call, job, answer) {
      if (job.pendingWrites === 0) answer();
      else answerWhen(call, job, limits.streamHoldMs, () => job.pendingWrites === 0, answer);
    },
  };
}
