/** Errors. */
import type { Rule } from '../rule.ts';

export default [
  {
    id: 'X-01',
    rule: 'A request that is malformed is a 400',
    file: 'conformance/jobs/errors',
    tests: ['a body that is not a job > %s is a 400 that says what is wrong with the JSON'],
  },
  {
    id: 'X-02',
    rule: 'A number out of its range is a 400 that names the field, the range and what was sent',
    file: 'conformance/jobs/errors',
    tests: ['a number outside its range > $field is taken from $min to $max, and refused one beyond'],
  },
  {
    id: 'X-03',
    rule: 'An endpoint that there is not is a 404',
    file: 'conformance/jobs/errors',
    tests: ['something that is not there > an unknown endpoint is a 404 on every operation'],
  },
  {
    id: 'X-04',
    rule: 'A job that there is not is a 404',
    file: 'conformance/jobs/errors',
    tests: ['something that is not there > an unknown job is a 404 on every operation'],
  },
  {
    id: 'X-05',
    rule: 'A route that there is not is a 404',
    file: 'conformance/jobs/errors',
    tests: [
      'something that is not there > an unknown route is a 404, a known one with another method a 404 or 405, in the same shape',
    ],
  },
  {
    id: 'X-06',
    rule: 'Each error is `{error, message, status}`, with the HTTP status and words for a person',
    file: 'conformance/jobs/errors',
    tests: [
      'something that is not there > an unknown route is a 404, a known one with another method a 404 or 405, in the same shape',
    ],
  },
  {
    id: 'X-07',
    rule: 'Above the effective rate limit: 429 with Retry-After in whole seconds',
    file: 'system/faults/rates',
    tests: [
      'fault 25: an operation takes exactly its number of requests; the next is a 429 with Retry-After and words for a person',
    ],
  },
  {
    id: 'X-08',
    rule: 'Whatever a client sends is no reason for a 5xx, and is answered in time',
    file: 'system/fuzz',
    tests: [
      'fuzz: requests of any kind in any order are answered in time, never with a 5xx, and the counters stay right',
    ],
  },
  {
    id: 'X-09',
    rule: 'Results that are asked for after they expired are a 404',
    file: 'conformance/jobs/time',
    tests: ['results > of /run are kept for 30 minutes after the end, then they are a 404: %s'],
  },
  {
    id: 'X-10',
    rule: 'A job that cannot complete is FAILED, also where its worker died',
    file: 'conformance/workers/lostWorkers',
    tests: ['a job whose worker is lost a second time fails, with a reason'],
  },
  {
    id: 'X-11',
    rule: 'Where the job is all that was asked for, its failure is a server error: 500 unless another status fits',
    file: 'conformance/openai/errors',
    tests: ['an error of the worker > %s becomes the status that fits and an error that clients read'],
  },
  {
    id: 'X-12',
    rule: 'A request that comes too slowly is a 408 that says so',
    file: 'system/faults/slowClients',
    tests: ['fault 21: %s, a byte a second, is cut with a 408 that says why'],
  },
] satisfies Rule[];
