/** The other side of a reader, acted out in fake time: jobs that a spec moves, and a network that it cuts. */
import { AppError } from '../../../main/contract/core/errors.ts';
import type { JobStatus } from '../../../main/contract/api/job.ts';
import type { WebhookDelivery } from '../../../main/contract/api/webhook.ts';
import { requestSent } from '../../../main/app/platform/requestObserver.ts';
import type { JobSource } from '../../../main/app/streams/port.ts';
import type { FakeClock } from '../core/fakeClock.ts';

interface ActedJob {
  status: JobStatus;
  /** What `/stream` has not yet answered: it tells each chunk once. */
  unread: string[];
  /** Every chunk, which an engine of Hangar answers again. */
  written: string[];
  output: string | null;
  forgotten: boolean;
}

export function actService(clock: FakeClock) {
  const jobs = new Map<string, ActedJob>();
  const askedAt: number[] = [];
  const parked = new Set<() => void>();
  const cuts = new Set<() => void>();
  let webhooks: WebhookDelivery[] = [];
  const service = {
    up: true,
    refuses: null as AppError | null,
    hasLocal: true,
    askedAt,
    /** So many of the next answers with chunks break off on their way. */
    breaksOff: 0,
    add(id: string, status: JobStatus = 'IN_QUEUE') {
      jobs.set(id, { status, unread: [], written: [], output: null, forgotten: false });
    },
    change(id: string, change: Partial<ActedJob>) {
      Object.assign(jobs.get(id)!, change);
      for (const wake of [...parked]) wake();
    },
    write(id: string, ...texts: string[]) {
      const { unread, written } = jobs.get(id)!;
      service.change(id, { unread: [...unread, ...texts], written: [...written, ...texts] });
    },
    end(id: string, output: string | null = '"all of it"') {
      service.change(id, { status: 'COMPLETED', output });
    },
    deliver(added: WebhookDelivery[]) {
      webhooks = added;
    },
    cut() {
      service.up = false;
      for (const breakOff of [...cuts]) breakOff();
    },
    source,
  };

  function answer<T>(path: string, read: () => T): T {
    askedAt.push(clock.now());
    const sent = { at: clock.now(), method: 'GET', path, tookMs: 1, allowance: null };
    if (!service.up) {
      const error = new AppError('UNAVAILABLE', 'Cannot reach it.');
      requestSent({ ...sent, status: null, error: error.message });
      throw error;
    }
    if (service.refuses) throw service.refuses;
    requestSent({ ...sent, status: 200, error: null });
    return read();
  }
  function jobOf(id: string): ActedJob {
    const job = jobs.get(id);
    if (!job || job.forgotten) throw new AppError('NOT_FOUND', 'no such job', { details: { status: 404 } });
    return job;
  }

  function source(): JobSource {
    return {
      jobs: {
        status: async (_, id) =>
          answer(`/status/${id}`, () => ({ view: { id, status: jobOf(id).status }, output: jobOf(id).output })),
        async stream(_, id, waitMs, signal) {
          const read = () => {
            const job = jobOf(id);
            const chunks = job.unread.splice(0);
            if (chunks.length > 0 && service.breaksOff > 0) {
              service.breaksOff--;
              throw new AppError('UNAVAILABLE', 'The connection broke.', { details: { sent: 'maybe' } });
            }
            return { status: job.status, chunks, retries: 0 };
          };
          const isWorthIt = (): boolean => {
            const job = jobs.get(id);
            return !job || job.forgotten || job.unread.length > 0 || job.status === 'COMPLETED';
          };
          if (!service.up || isWorthIt()) return answer(`/stream/${id}`, read);
          // Held open: until there is something to tell, for as long as was asked, or until the line is cut.
          await new Promise<void>((resolve) => {
            const done = (): void => {
              parked.delete(check);
              cuts.delete(done);
              cancel();
              signal?.removeEventListener('abort', done);
              resolve();
            };
            const check = (): void => {
              if (isWorthIt()) done();
            };
            const cancel = clock.after(waitMs, done);
            parked.add(check);
            cuts.add(done);
            signal?.addEventListener('abort', done);
          });
          return answer(`/stream/${id}`, read);
        },
      },
      local: service.hasLocal ? localSource(answer, jobOf, () => webhooks) : null,
    };
  }
  return service;
}

/** What an engine of Hangar answers beside the job API. */
const localSource = (
  answer: <T>(path: string, read: () => T) => T,
  jobOf: (id: string) => ActedJob,
  webhooks: () => WebhookDelivery[],
): NonNullable<JobSource['local']> => ({
  timeline: async (id) =>
    answer(`/jobs/${id}`, () => ({
      id,
      status: jobOf(id).status,
      submittedAt: '',
      workerId: null,
      workerStartedAt: null,
      pricePerHour: null,
      startedAt: null,
      finishedAt: null,
      waiting: null,
    })),
  webhooks: async () => answer('/webhooks', webhooks),
  chunks: async (id) =>
    answer(`/jobs/${id}/chunks`, () => ({
      status: jobOf(id).status,
      retries: 0,
      index: 0,
      chunks: jobOf(id).written.map((text) => `{"output":${text}}`),
      next: '',
    })),
});
