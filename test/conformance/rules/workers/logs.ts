/** What workers write. */
import type { Rule } from '../rule.ts';

export default [
  {
    id: 'G-01',
    rule: 'A line has its worker, job, stream and level, and is found by them and by its text',
    file: 'conformance/local/logs',
    tests: [
      'GET /local/v1/logs > tells each line with its worker, its job, its stream and its level, and finds them by these',
      'GET /local/v1/logs > ?%s is a 400 that names it',
    ],
  },
  {
    id: 'G-02',
    rule: 'Lines are paged back to the oldest',
    file: 'conformance/local/logs',
    tests: ['GET /local/v1/logs > pages back from the newest line to the oldest'],
  },
  {
    id: 'G-03',
    rule: 'Why a worker was stopped, and how one died, is a line',
    file: 'conformance/local/logs',
    tests: ['GET /local/v1/logs > tells why a worker was stopped and how one died'],
  },
  {
    id: 'G-04',
    rule: 'Lines of a job outlive its worker and the engine; their numbers go on',
    file: 'conformance/local/logs',
    tests: [
      'GET /local/v1/logs > still has the lines of a job whose worker is gone, after a restart of the engine as well',
    ],
  },
  {
    id: 'G-05',
    rule: 'Lines are followed as they are written, from any line on',
    file: 'conformance/local/logs',
    tests: [
      'GET /local/v1/logs/events > tells each line as it is written, with its number as the id of the event',
      'GET /local/v1/logs/events > replays what came after a line, and goes on with what comes',
      'GET /local/v1/logs/events > replays from disk after a restart',
      'GET /local/v1/logs/events > a Last-Event-ID that is no number is a 400',
    ],
  },
  {
    id: 'G-06',
    rule: 'A slow reader misses nothing and holds up nobody; a quiet stream says that it is there',
    file: 'conformance/local/logs',
    tests: [
      'GET /local/v1/logs/events > lets a slow reader miss nothing, and holds up nobody for it',
      'GET /local/v1/logs/events > says that it is there while nothing is written',
    ],
  },
  {
    id: 'G-07',
    rule: 'Reading logs takes a key',
    file: 'conformance/local/logs',
    tests: ['GET /local/v1/logs > takes a key'],
  },
  {
    id: 'G-08',
    rule: 'What workers were over time is told, with their jobs and how they ended',
    file: 'conformance/local/logs',
    tests: [
      'GET /local/v1/workers/lanes > tells what each worker was over time, with its jobs, and how it ended',
      'GET /local/v1/workers/lanes > an endpoint has to be named',
    ],
  },
] satisfies Rule[];
