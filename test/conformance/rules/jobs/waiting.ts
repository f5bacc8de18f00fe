/** Why a job waits. */
import type { Rule } from '../rule.ts';

export default [
  {
    id: 'Y-01',
    rule: 'A starting worker is a reason, with its time',
    file: 'conformance/queue/waiting',
    tests: ['a job waits > while a worker starts, and it is told since when; once it runs, it waits for nothing'],
  },
  {
    id: 'Y-02',
    rule: 'All workers of workersMax being busy is a reason, with the jobs that go first',
    file: 'conformance/queue/waiting',
    tests: ['a job waits > while all workers of workersMax are busy, behind the jobs that came before it'],
  },
  {
    id: 'Y-03',
    rule: 'workersMax 0 is a reason',
    file: 'conformance/queue/waiting',
    tests: ['a job waits > where no worker may be started, which pauses the endpoint'],
  },
  {
    id: 'Y-04',
    rule: 'A busy worker of somebody else, or one that does not ask, is a reason',
    file: 'conformance/queue/waiting',
    tests: ['a job waits > while the worker of somebody else is busy, or does not ask'],
  },
  {
    id: 'Y-05',
    rule: "Workers that keep dying are a reason, with the last one's last line and the next try",
    file: 'conformance/queue/waiting',
    tests: ['a job waits > while its workers die as they start: how often, of what, and when the next one is tried'],
  },
  {
    id: 'Y-06',
    rule: 'A handler that cannot be run is a reason, with what to do',
    file: 'conformance/queue/waiting',
    tests: ['a job waits > where its handler cannot be run: why, and what to do'],
  },
  {
    id: 'Y-07',
    rule: 'A low priority is a reason',
    file: 'conformance/queue/waiting',
    tests: ['a job waits > where its priority is low: no worker is started for it, and those that are there are busy'],
  },
  {
    id: 'Y-08',
    rule: 'A folder without a handler is told of when its endpoint is made, in /health and with each waiting job',
    file: 'conformance/queue/unavailable',
    tests: [
      'a folder without a handler is told of when its endpoint is made, in /health and with each waiting job, until it has one',
    ],
  },
  {
    id: 'Y-09',
    rule: 'A handler that imports what is not there counts as unhealthy, and its jobs say what that is',
    file: 'conformance/queue/unavailable',
    tests: ['a handler that imports what is not there counts as unhealthy, and its jobs say what that is'],
  },
  {
    id: 'Y-10',
    rule: 'A handler in Python is told of on a machine without Python',
    file: 'conformance/queue/unavailable',
    tests: ['a handler in Python is told of on a machine without Python'],
  },
] satisfies Rule[];
