/** Parses job paths: /v2/{endpoint}/{operation}/{first}/{second}?query, or /v2/{endpoint}/{operation}/{rest}. */
import { AppError } from '#contract/core/errors.ts';
import { explainIssues } from '#contract/core/zodMessages.ts';
import { wholeMs } from '#contract/api/job.ts';
import type { Endpoint } from '#contract/api/resources.ts';
import type { RatedOperation } from '#contract/local/settings.ts';
import type { Caller } from '../../domain/access/apiKeys.ts';
import type { RequiredScope } from './auth.ts';
import type { JobRequest, JobResponse, NodeExchange } from './types.ts';

export interface Call {
  readonly request: JobRequest;
  readonly response: JobResponse;
  readonly endpoint: Endpoint;
  readonly caller: Caller;
  /** Path segments after the operation, decoded; empty when missing. */
  readonly first: string;
  readonly second: string;
  /** The whole path after the operation, decoded, without the first slash; for operations with paths of their own. */
  readonly rest: string;
  /** Null when there is no query. */
  readonly query: Query | null;
}

export type JobMethod = 'GET' | 'POST';

interface RouteTerms {
  readonly methods: readonly JobMethod[];
  readonly need: RequiredScope;
  /** The scope of one request, where it depends on the path; otherwise `need` holds. */
  readonly needOf?: (path: JobPath) => RequiredScope;
  /** The operation whose rate its requests count to; its requests are unlimited without it. */
  readonly rate?: RatedOperation;
}

export interface BriefRoute extends RouteTerms {
  readonly node?: never;
  run(call: Call): void;
}

/** A route that streams: it needs Node's own request and answer. */
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
  query: Query | null;
}

export const JOB_PREFIX = '/v2/';

/** The part of URLSearchParams that routes use. */
export type Query = Pick<URLSearchParams, 'get'>;

/** Clients and workers repeat a few queries, and parsing one costs as much as the rest of its path. */
const recentQueries = new Map<string, Query>();
const MOST_QUERIES = 64;

function queryOf(text: string): Query {
  let query = recentQueries.get(text);
  if (query) return query;
  query = new URLSearchParams(text);
  if (recentQueries.size >= MOST_QUERIES) recentQueries.clear();
  recentQueries.set(text, query);
  return query;
}

const decoded = (segment: string): string => (segment.includes('%') ? decodeURIComponent(segment) : segment);

/** Parses a URL that begins with JOB_PREFIX; its parts are decoded. Throws BAD_REQUEST for bad percent-encoding. */
export function parseJobPath(url: string): JobPath {
  const mark = url.indexOf('?');
  const end = mark === -1 ? url.length : mark;
  const segmentEnd = (from: number): number => {
    const slash = url.indexOf('/', from);
    return slash === -1 || slash > end ? end : slash;
  };
  const endpointTo = segmentEnd(JOB_PREFIX.length);
  const operationTo = segmentEnd(endpointTo + 1);
  const firstTo = segmentEnd(operationTo + 1);
  const secondTo = segmentEnd(firstTo + 1);
  try {
    return {
      endpointId: decoded(url.slice(JOB_PREFIX.length, endpointTo)),
      operation: decoded(url.slice(endpointTo + 1, operationTo)),
      first: decoded(url.slice(operationTo + 1, firstTo)),
      second: decoded(url.slice(firstTo + 1, secondTo)),
      rest: decoded(url.slice(operationTo + 1, end)),
      query: mark === -1 ? null : queryOf(url.slice(mark + 1)),
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

/** A whole number of the query; undefined without it. Throws BAD_REQUEST out of range; nothing is clamped. */
export function queryNumber(
  query: Query | null,
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
