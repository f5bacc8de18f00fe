/** The job API of the fake: paths, envelopes and answers as the service has them. */
import { limits } from '#contract/core/limits.ts';
import { rawField } from '#contract/core/jsonScanner.ts';
import { hasEnded, type RemoteJob, type RemoteJobs } from './jobs.ts';
import type { RemoteAccount } from './records.ts';
import { notFound, ok, Refusal, type RemoteCall, type Reply } from './wire.ts';

/** A job as JSON text: what its worker has sent stays as it was written. */
function jobText(job: RemoteJob, now: number): string {
  const ended = hasEnded(job);
  const fields: [string, string | null][] = [
    ['delayTime', job.delayMs === null ? (ended ? '0' : null) : String(job.delayMs)],
    ['error', job.error === null ? null : JSON.stringify(job.error)],
    ['executionTime', ended ? String((job.endedAt ?? now) - (job.startedAt ?? job.endedAt ?? now)) : null],
    ['id', JSON.stringify(job.id)],
    ['output', job.output],
    ['retries', job.retries === 0 ? null : String(job.retries)],
    ['status', JSON.stringify(job.status)],
    ['workerId', job.workerId === null ? (ended ? '""' : null) : JSON.stringify(job.workerId)],
  ];
  return `{${fields.flatMap(([name, text]) => (text === null ? [] : [`"${name}":${text}`])).join(',')}}`;
}

const asJson = (text: string): Reply => ({ status: 200, text, type: 'application/json' });

function waitOf(query: URLSearchParams, otherwise: number): number {
  const waitMs = Number(query.get('wait') ?? otherwise);
  if (!Number.isFinite(waitMs)) return otherwise;
  return Math.min(limits.waitMs.max, Math.max(limits.waitMs.min, waitMs));
}

export function createJobApi(account: RemoteAccount, jobs: RemoteJobs, now: () => number) {
  /** An empty poll is held so long, unless it says otherwise. */
  const STREAM_HOLD_MS = 10_000;

  function envelope(request: RemoteCall, most: number): { inputText: string; envelope: Record<string, unknown> } {
    if (Buffer.byteLength(request.text) > most) throw new Refusal(400, 'request body too large');
    const body = request.json();
    const inputText = rawField(request.text, 'input');
    if (inputText === undefined) throw new Refusal(400, 'input is required');
    return { inputText, envelope: body };
  }

  return async (request: RemoteCall): Promise<Reply> => {
    const [endpointId = '', operation = '', jobId] = request.path;
    const endpoint = account.endpoints.get(endpointId);
    if (!endpoint) throw notFound('endpoint');
    const isGet = request.method === 'GET';
    const isPost = request.method === 'POST';
    const wrongMethod = (): Refusal => new Refusal(405, 'method not allowed');
    if (endpoint.type === 'LOAD_BALANCER' && operation !== 'health') throw new Refusal(400, 'not allowed for LB API');

    switch (operation) {
      case 'run': {
        if (!isPost) throw wrongMethod();
        const { id, status } = jobs.submit(endpointId, 'run', envelope(request, limits.runBodyBytes), false);
        return ok({ id, status });
      }
      case 'runsync': {
        if (!isPost) throw wrongMethod();
        const body = envelope(request, limits.runsyncBodyBytes);
        const job = jobs.submit(endpointId, 'runsync', body, request.query.has('wait'));
        await jobs.wait(job, hasEnded, waitOf(request.query, limits.waitMs.default), request.gone);
        return asJson(jobText(job, now()));
      }
      case 'status':
      case 'status-sync': {
        if (!isGet && !isPost) throw wrongMethod();
        const job = jobs.get(endpointId, jobId ?? '');
        const ttl = Number(request.query.get('ttl') ?? Number.NaN);
        if (Number.isFinite(ttl)) job.ttlMs = ttl;
        if (operation === 'status-sync') {
          await jobs.wait(job, hasEnded, waitOf(request.query, limits.waitMs.default), request.gone);
        }
        return asJson(jobText(job, now()));
      }
      case 'stream': {
        if (!isGet && !isPost) throw wrongMethod();
        const job = jobs.get(endpointId, jobId ?? '');
        const before = job.status;
        const hasNews = (one: RemoteJob): boolean => one.unread.length > 0 || hasEnded(one) || one.status !== before;
        await jobs.wait(job, hasNews, waitOf(request.query, STREAM_HOLD_MS), request.gone);
        // Whoever has gone has read nothing.
        if (request.gone.aborted) return ok({});
        const items = job.unread.splice(0).map((text) => `{"output":${text}}`);
        return asJson(`{"status":"${job.status}","stream":[${items.join(',')}]}`);
      }
      case 'cancel': {
        if (!isPost) throw wrongMethod();
        const job = jobs.get(endpointId, jobId ?? '');
        jobs.cancel(job);
        return ok({ id: job.id, status: job.status });
      }
      case 'retry': {
        if (!isPost) throw wrongMethod();
        const job = jobs.get(endpointId, jobId ?? '');
        jobs.retry(job);
        return ok({ id: job.id, status: job.status });
      }
      case 'purge-queue':
        if (!isPost) throw wrongMethod();
        return ok({ removed: jobs.purge(endpointId), status: 'completed' });
      case 'requests': {
        if (!isGet) throw wrongMethod();
        const newest = jobs
          .all()
          .filter((job) => job.endpointId === endpointId)
          .toReversed();
        const texts = newest.map((job) => jobText({ ...job, output: null }, now()));
        return asJson(`{"requests":[${texts.join(',')}]}`);
      }
      case 'health':
        if (!isGet) throw wrongMethod();
        return ok(jobs.health(endpointId));
      default:
        throw new Refusal(404, 'not found');
    }
  };
}
