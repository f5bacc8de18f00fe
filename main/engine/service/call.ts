/** One request to a job path, taken apart: /v2/{endpoint}/{operation}/{first}/{second}?query, or /v2/{endpoint}/{operation}/{rest}. */
import { AppError } from '#contract/errors.ts';
import { explainIssues } from '#contract/explain.ts';
import { wholeMs } from '#contract/job.ts';
import type { Endpoint } from '#contract/resources.ts';
import type { RatedOperation } from '#contract/settings.ts';
import type { Need } from './auth.ts';
import type { JobRequest, JobResponse, NodeExchange } from './exchange.ts';

export interface Call {
  readonly request: JobRequest;
  readonly response: JobResponse;
  readonly endpoint: Endpoint;
  /** Path segments after the operation, decoded; empty when missing. */
  readonly first: string;
  readonly second: string;
  /** The whole path after the operation, decoded, without the slash before it; for operations that have paths of their own. */
  readonly rest: string;
  /** Null when there is no query. */
  readonly query: URLSearchParams | null;
}

interface RouteTerms {
  readonly methods: readonly string[];
  readonly need: Need;
  /** Whose rate its requests count to; never limited without. */
  readonly rate?: RatedOperation;
}

export interface BriefRoute extends RouteTerms {
  readonly node?: never;
  run(call: Call): void;
}

/** A route that needs Node's own request and answer, to stream one of them. */
export interface NodeRoute extends RouteTerms {
  readonly node: true;
  run(call: Call & NodeExchange): void;
}

export type Route = BriefRoute | NodeRoute;

export interface JobPath {
  endpointId: string;
  operation: string;
  first: string;
  second: string;
  rest: string;
  query: URLSearchParams | null;
}

export const JOB_PREFIX = '/v2/';

const decoded = (segment: string | undefined): string =>
  segment === undefined ? '' : segment.includes('%') ? decodeURIComponent(segment) : segment;

/** The operation that a url which begins with JOB_PREFIX names, as it stands there. */
export function operationOf(url: string): string {
  const from = url.indexOf('/', JOB_PREFIX.length) + 1;
  if (from === 0) return '';
  for (let to = from; to < url.length; to++) if (url[to] === '/' || url[to] === '?') return url.slice(from, to);
  return url.slice(from);
}

/** Takes a url that begins with JOB_PREFIX apart. Clients percent-encode ids; what counts is the decoded id. */
export function parseJobPath(url: string): JobPath {
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  const [endpointId, operation, first, second] = path.slice(JOB_PREFIX.length).split('/');
  const restAt = JOB_PREFIX.length + (endpointId?.length ?? 0) + 1 + (operation?.length ?? 0) + 1;
  try {
    return {
      endpointId: decoded(endpointId),
      operation: decoded(operation),
      first: decoded(first),
      second: decoded(second),
      rest: decoded(path.slice(restAt)),
      query: mark === -1 ? null : new URLSearchParams(url.slice(mark + 1)),
    };
  } catch (cause) {
    throw new AppError('BAD_REQUEST', 'The path is not properly percent-encoded.', { cause });
  }
}

const schemas = new WeakMap<object, ReturnType<typeof wholeMs>>();

function schemaOf(range: { min: number; max: number }): ReturnType<typeof wholeMs> {
  let schema = schemas.get(range);
  if (!schema) schemas.set(range, (schema = wholeMs(range)));
  return schema;
}

/** A whole number of the query; undefined when it is not there. Out of range, or not whole, is refused, never clamped. */
export function queryNumber(
  query: URLSearchParams | null,
  name: string,
  range: { min: number; max: number },
): number | undefined {
  const text = query?.get(name);
  if (text === null || text === undefined) return undefined;
  const value = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  const result = schemaOf(range).safeParse(value, { reportInput: true });
  if (!result.success) throw new AppError('BAD_REQUEST', explainIssues(result.error, name, { [name]: range }));
  return result.data;
}
