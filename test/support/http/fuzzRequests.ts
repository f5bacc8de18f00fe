/** Requests to an endpoint as no client would send them, and some as clients do. */
import fc from 'fast-check';
import { jobRequestSchema } from '#contract/api/job.ts';
import { fromKeys, keysOf } from '#contract/core/keysOf.ts';

/** One request. Ids are filled in when it is sent. */
export interface FuzzRequest {
  readonly method: string;
  readonly operation: string;
  /** Segments after the operation; `{ job }` is a job that was seen by then, `{ worker }` a worker of the endpoint. */
  readonly segments: readonly (string | { readonly job: number } | { readonly worker: number })[];
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', '..', '%', '\u0000'),
);
const anyJson = fc.oneof(
  { weight: 4, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(null, 0, -1, 1e308, 2 ** 53, '', '\u0000', [], {}, 'IN_PROGRESS', [[[[]]]]),
  },
);

const milliseconds = fc.oneof(
  fc.integer({ min: 5_000, max: 700_000 }),
  fc.constantFrom<unknown>(0, 999, 1000, 4999, 5000, 9999, 10_000, 300_000, 300_001, 604_800_000, 604_800_001, -1, 1.5),
  anyJson,
);

const sometimes = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });

const envelope = fc.record(
  {
    // Also the fields that are not named here.
    ...fromKeys<Record<keyof typeof jobRequestSchema.shape, fc.Arbitrary<unknown>>>(
      keysOf(jobRequestSchema.shape),
      () => anyJson,
    ),
    input: fc.oneof(
      { weight: 5, arbitrary: fc.dictionary(fc.string(), anyJson, { maxKeys: 4 }) },
      { weight: 1, arbitrary: anyJson },
    ),
    webhook: fc.oneof(
      fc.webUrl().map(() => 'http://127.0.0.1:9/hook'),
      anyJson,
    ),
    policy: fc.oneof(
      fc.record(
        { executionTimeout: milliseconds, ttl: milliseconds, lowPriority: fc.oneof(fc.boolean(), anyJson) },
        { requiredKeys: [] },
      ),
      anyJson,
    ),
    s3Config: fc.oneof(fc.dictionary(fc.constantFrom('accessId', 'accessSecret', 'x'), anyJson), anyJson),
    id: anyJson,
    __proto__: anyJson,
  },
  { requiredKeys: [] },
);
/** Most of what is sent should get past the first check. */
const goodEnvelope = fc.record({
  input: fc.dictionary(fc.string(), anyJson, { maxKeys: 3 }),
  policy: fc.record(
    {
      executionTimeout: fc.integer({ min: 5_000, max: 60_000 }),
      ttl: fc.integer({ min: 10_000, max: 120_000 }),
      lowPriority: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
});
const result = fc.record(
  {
    output: anyJson,
    error: fc.oneof(anyText, anyJson),
    status: fc.constantFrom('IN_PROGRESS', 'COMPLETED', '', 5),
    stopPod: fc.oneof(fc.boolean(), anyJson),
  },
  { requiredKeys: [] },
);
const chunk = fc.record({ output: anyJson, metrics: anyJson }, { requiredKeys: ['output'] });
const lines = fc
  .array(
    fc.oneof({ weight: 6, arbitrary: chunk.map((value) => JSON.stringify(value)) }, { weight: 1, arbitrary: anyText }),
    {
      maxLength: 6,
    },
  )
  .map((all) => all.join('\n'));
const openai = fc.record(
  { model: anyText, stream: fc.oneof(fc.boolean(), anyJson), messages: anyJson },
  { requiredKeys: [] },
);

/** The text with one place changed, cut off or doubled. */
const broken = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(text, fc.nat(), fc.constantFrom('cut', 'drop', 'double', '"', '{', '}', '\\', '\u0000', '\ud800', ','))
    .map(([whole, at, how]) => {
      const place = whole.length === 0 ? 0 : at % whole.length;
      if (how === 'cut') return whole.slice(0, place);
      if (how === 'drop') return whole.slice(0, place) + whole.slice(place + 1);
      if (how === 'double') return whole + whole.slice(place);
      return whole.slice(0, place) + how + whole.slice(place);
    });

/** A body that should be one of `value`, and often is not. */
const bodyOf = (value: fc.Arbitrary<unknown>): fc.Arbitrary<FuzzRequest['body']> => {
  const text = value.map((each) => JSON.stringify(each));
  return fc.oneof(
    { weight: 14, arbitrary: text },
    { weight: 2, arbitrary: broken(text) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }) },
    { weight: 1, arbitrary: fc.constantFrom(undefined, '', 'null', '[', '['.repeat(5000), '{"input":'.repeat(2000)) },
  );
};

const worker = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(1, 1, 1, 2).map((number) => ({ worker: number })) },
  { weight: 1, arbitrary: anyText.map((text) => encodeURIComponent(text.toWellFormed())) },
);
const job = fc.oneof(
  { weight: 8, arbitrary: fc.nat({ max: 7 }).map((number) => ({ job: number })) },
  { weight: 1, arbitrary: anyText.map((text) => encodeURIComponent(text.toWellFormed())) },
  { weight: 1, arbitrary: fc.constantFrom('%', '%00', '%ff', '..', '', 'a/b/c') },
);
const parameter = fc
  .tuple(
    fc.constantFrom(
      'wait',
      'ttl',
      'limit',
      'batch_size',
      'job_in_progress',
      'ndjson',
      'next',
      'envelope',
      'job_id',
      'status',
      'gpu',
      '_t',
    ),
    fc.oneof(
      milliseconds.map((value) => String(value)),
      fc.constantFrom('0', '1', 'true', '', 'unhealthy', 'a,b,,c'),
      anyText,
    ),
  )
  .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`);
const query = fc.oneof(
  { weight: 4, arbitrary: fc.array(parameter, { maxLength: 3 }).map((all) => all.join('&')) },
  { weight: 1, arbitrary: fc.constantFrom('%', '=&=', '&&&', '%E0%A4%A', 'wait=1000&wait=5') },
);
const headers = fc.dictionary(
  fc.constantFrom('content-type', 'content-encoding', 'user-agent', 'accept', 'x-request-id', 'transfer-encoding', 'x'),
  fc.constantFrom(
    'application/json',
    'text/plain',
    'application/x-www-form-urlencoded',
    'gzip',
    'identity',
    'chunked',
    'RunPod-JS-SDK/1',
    '*/*',
    '',
  ),
  { maxKeys: 3 },
);

const operation = (
  method: string,
  name: string,
  segments: readonly fc.Arbitrary<FuzzRequest['segments'][number]>[] = [],
  body: fc.Arbitrary<FuzzRequest['body']> = fc.constant(undefined),
): fc.Arbitrary<FuzzRequest> =>
  fc.record({
    method: fc.oneof(
      { weight: 40, arbitrary: fc.constant(method) },
      { weight: 1, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD') },
    ),
    operation: fc.constant(name),
    segments: fc.tuple(...segments),
    query,
    headers: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headers }),
    body,
  });

const submitted = fc.oneof({ weight: 5, arbitrary: goodEnvelope }, { weight: 2, arbitrary: envelope });

export const fuzzRequest: fc.Arbitrary<FuzzRequest> = fc.oneof(
  { weight: 6, arbitrary: operation('POST', 'run', [], bodyOf(submitted)) },
  { weight: 3, arbitrary: operation('POST', 'runsync', [], bodyOf(submitted)) },
  { weight: 2, arbitrary: operation('GET', 'status', [job]) },
  { weight: 2, arbitrary: operation('POST', 'status-sync', [job], sometimes(fc.json())) },
  { weight: 3, arbitrary: operation('GET', 'stream', [job]) },
  { weight: 2, arbitrary: operation('POST', 'cancel', [job], bodyOf(anyJson)) },
  { weight: 2, arbitrary: operation('POST', 'retry', [job], bodyOf(anyJson)) },
  { weight: 1, arbitrary: operation('POST', 'purge-queue', [], bodyOf(anyJson)) },
  { weight: 1, arbitrary: operation('GET', 'health') },
  { weight: 1, arbitrary: operation('GET', 'requests') },
  { weight: 1, arbitrary: operation('POST', 'openai', [fc.constantFrom('v1', 'x', '%')], bodyOf(openai)) },
  { weight: 5, arbitrary: operation('GET', 'job-take', [worker]) },
  { weight: 3, arbitrary: operation('GET', 'job-take-batch', [worker]) },
  { weight: 6, arbitrary: operation('POST', 'job-done', [worker, job], bodyOf(result)) },
  { weight: 4, arbitrary: operation('POST', 'job-stream', [worker, job], fc.oneof(bodyOf(chunk), lines)) },
  { weight: 1, arbitrary: operation('GET', 'job-stop', [worker]) },
  { weight: 2, arbitrary: operation('GET', 'ping', [worker]) },
  {
    weight: 1,
    arbitrary: fc
      .string()
      .chain((name) => operation('POST', encodeURIComponent(name.toWellFormed()), [job, worker], bodyOf(anyJson))),
  },
);

/** A request as bytes, with something wrong in it. */
export const fuzzBytes = (lead: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(
        'run',
        'runsync',
        'job-take/w',
        'job-done/w/x',
        'job-stream/w/x?ndjson=1',
        'health',
        'status/x',
        'openai/v1/models',
      ),
      fc.constantFrom('GET', 'POST', 'post', 'HEAD', 'PRI', ''),
      fc.constantFrom('HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9.9', ''),
      fc.array(
        fc.oneof(
          fc.constantFrom(
            'content-length: 5',
            'content-length: -5',
            'content-length: 99999999999',
            'transfer-encoding: chunked',
            'transfer-encoding: x',
            'expect: 100-continue',
            'connection: close',
            'upgrade: websocket',
            'connection: upgrade',
            ': x',
            'host:',
            'x\u0000y: z',
          ),
          anyText.map((text) => `x: ${text}`),
        ),
        { maxLength: 4 },
      ),
      fc.oneof(
        fc.json(),
        fc.constantFrom('5\r\nhello\r\n0\r\n\r\n', 'zz\r\n', '0\r\n\r\n', 'ffffffffff\r\n', '{"input":{}}'),
        anyText,
      ),
    )
    .map(
      ([path, method, version, more, body]) =>
        `${method} ${lead}${path} ${version}\r\n${['host: 127.0.0.1', ...more].join('\r\n')}\r\n\r\n${body}`,
    )
    .chain((whole) =>
      fc.oneof(
        fc.constant(whole),
        broken(fc.constant(whole)),
        fc.nat().map((at) => whole.slice(0, at % (whole.length + 1))),
      ),
    );
