/** The public worker, call by call. */
import type { Rule } from '../rule.ts';

export default [
  {
    id: 'U-01',
    rule: "Takes, chunks and results come in the SDK's order and are answered 200",
    file: 'conformance/workers/publicWorker',
    tests: ['the public worker > takes, streams and ends a job in its own order, and every call is answered 200'],
  },
  {
    id: 'U-02',
    rule: 'The variables fit what the SDK makes of them',
    file: 'conformance/workers/publicWorker',
    tests: [
      'the public worker > finds every address as it makes them: a query is there already, and the take names itself',
    ],
  },
  {
    id: 'U-03',
    rule: 'An ask for a job is held for 30 s and then answered 204',
    file: 'conformance/workers/publicWorker',
    tests: ['the public worker > is held for 30 s when nothing waits, hears 204, and asks again at once'],
  },
  {
    id: 'U-04',
    rule: 'A worker with several slots is handed no more than it asked for',
    file: 'conformance/workers/publicWorker',
    tests: ['the public worker > with several slots is handed an array of at most as many jobs as it asked for'],
  },
  {
    id: 'U-05',
    rule: 'Progress and failures are taken as the SDK writes them',
    file: 'conformance/workers/publicWorker',
    tests: [
      'the public worker > reports progress from the side, and its failure is a FAILED job with the JSON that the SDK wrote',
    ],
  },
  {
    id: 'U-06',
    rule: 'A cancelled job is told through the stop channel, and nothing more of it is waited for',
    file: 'conformance/workers/publicWorker',
    tests: [
      'the public worker > hears through its stop channel of a cancelled job, sends nothing more of it, and does the next',
      'the public worker > of several jobs lets go of the cancelled one by its next ping, and its others go on',
    ],
  },
  {
    id: 'U-07',
    rule: 'A worker that asks to be replaced is',
    file: 'conformance/workers/publicWorker',
    tests: ['the public worker > that asks to be replaced with its result is: the next job has another worker'],
  },
  {
    id: 'U-08',
    rule: 'A worker that is told to stop finishes first',
    file: 'conformance/workers/publicWorker',
    tests: ['the public worker > told to stop finishes what it has before it goes'],
  },
  {
    id: 'U-09',
    rule: 'A worker elsewhere keeps its job over a crash of the engine, and its repeated result is taken',
    file: 'conformance/workers/publicWorker',
    tests: [
      'the public worker on a machine of its own > keeps its job over a crash of the engine, and its result is taken by the engine that comes back',
      'the public worker on a machine of its own > offers its result again while the engine is away',
    ],
  },
  {
    id: 'U-10',
    rule: "The job of a silent worker is another's after 45 s",
    file: 'conformance/workers/publicWorker',
    tests: [
      'the public worker on a machine of its own > that crashed leaves a job, which another one does once it has been silent for 45 s',
    ],
  },
] satisfies Rule[];
