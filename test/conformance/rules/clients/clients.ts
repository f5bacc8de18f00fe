/** Clients as they are. */
import type { Rule } from '../rule.ts';

export default [
  {
    id: 'C-01',
    rule: 'The public JavaScript SDK streams to the end',
    file: 'conformance/jobs/javascriptSdk',
    tests: ['the public JavaScript SDK, unmodified > stream yields every chunk in order and ends with the job'],
  },
  {
    id: 'C-02',
    rule: 'It cancels',
    file: 'conformance/jobs/javascriptSdk',
    tests: ['the public JavaScript SDK, unmodified > cancel ends a running job'],
  },
  {
    id: 'C-03',
    rule: 'It reads health',
    file: 'conformance/jobs/javascriptSdk',
    tests: ['the public JavaScript SDK, unmodified > health tells jobs and workers'],
  },
  {
    id: 'C-04',
    rule: "The Python SDK's client that does not say who it is gets the envelope as well",
    file: 'conformance/jobs/streaming',
    tests: ['GET /stream/{job} > %s, which does not say who it is, is served the envelope too'],
  },
  {
    id: 'C-05',
    rule: 'Success is 200, never another 2xx; the version of the API is in the path, `/v2`',
    file: 'conformance/jobs/submitting',
    tests: ['POST /run > answers 200 with id and IN_QUEUE, nothing else'],
  },
  {
    id: 'C-06',
    rule: 'The public JavaScript SDK purges a queue',
    file: 'conformance/queue/purging',
    tests: ['/purge-queue > is understood by the public JavaScript SDK'],
  },
  {
    id: 'C-07',
    rule: 'The public JavaScript SDK sees a 429 as such',
    file: 'system/faults/rates',
    tests: ['fault 25: the public JavaScript SDK sees a 429 as such'],
  },
  {
    id: 'C-08',
    rule: 'What is served, and nothing else, is documented as OpenAPI',
    file: 'conformance/rest/openapi',
    tests: ['every route that is served is in a document, and every operation of a document is served'],
  },
] satisfies Rule[];
