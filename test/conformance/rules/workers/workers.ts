/** Workers. */
import type { Rule } from '../rule.ts';

export default [
  {
    id: 'W-01',
    rule: 'job-take answers one object with id and input, as application/json with a length',
    file: 'conformance/workers/protocol',
    tests: ['job-take > a single take is one object with id and input, as application/json with a length'],
  },
  {
    id: 'W-02',
    rule: 'job-take is held until there is a job',
    file: 'conformance/workers/protocol',
    tests: ['job-take > a long poll is answered the moment a job arrives'],
  },
  {
    id: 'W-03',
    rule: 'An empty job-take is held for less than 90 seconds, then 204',
    file: 'conformance/jobs/time',
    tests: ['an empty job-take is held for less than 90 seconds, then answered 204'],
  },
  {
    id: 'W-04',
    rule: 'job-take-batch answers a list of as many as asked for at most',
    file: 'conformance/workers/protocol',
    tests: ['job-take > a batch take is an array of at most as many as asked for'],
  },
  {
    id: 'W-05',
    rule: 'A job goes to one worker',
    file: 'conformance/workers/protocol',
    tests: ['job-take > one job goes to one of the workers that wait for it'],
  },
  {
    id: 'W-06',
    rule: 'A job is not lost with a worker that hung up before it was handed out',
    file: 'conformance/workers/protocol',
    tests: ['job-take > a job is not given to a worker that has hung up'],
  },
  {
    id: 'W-07',
    rule: 'job-done takes JSON under any content type',
    file: 'conformance/workers/protocol',
    tests: ['job-done > takes JSON labelled as form data, the way the public worker sends it'],
  },
  {
    id: 'W-08',
    rule: 'An empty object is a result',
    file: 'conformance/workers/protocol',
    tests: ['job-done > an empty object is a completed job'],
  },
  {
    id: 'W-09',
    rule: 'A result is taken only from the worker that has the job',
    file: 'conformance/workers/protocol',
    tests: ['job-done > the result of a worker that does not hold the job is refused'],
  },
  {
    id: 'W-10',
    rule: 'A result for a job that there is not is a 404',
    file: 'conformance/jobs/errors',
    tests: ['something that is not there > a result for an unknown job is a 404'],
  },
  {
    id: 'W-11',
    rule: 'Chunks of a finished job are refused',
    file: 'conformance/jobs/streaming',
    tests: ['chunks > chunks of a finished job are refused and change nothing'],
  },
  {
    id: 'W-12',
    rule: 'job-stop answers the ids of the jobs to stop, to the worker that has them',
    file: 'conformance/workers/protocol',
    tests: ['job-stop > only the worker that runs the job is told'],
  },
  {
    id: 'W-13',
    rule: 'A stop waits until its worker asks',
    file: 'conformance/workers/protocol',
    tests: ['job-stop > a stop is kept until its worker asks for it'],
  },
  {
    id: 'W-14',
    rule: 'A worker pings with the ids of its jobs or without',
    file: 'conformance/workers/protocol',
    tests: ['ping > any worker may ping, idle or with the ids of its jobs'],
  },
  {
    id: 'W-15',
    rule: 'What ran out is told in the error of a job: memory of the GPU, memory, the disk; a crash tells how the worker ended',
    file: 'system/faults/runningOut',
    tests: [
      'where a handler fails because %s ran out, its error says so as a fact of its own',
      'where a worker dies because %s, the error of its job says so',
      'where the system kills a worker because memory ran out, the error of its job says so',
    ],
  },
  {
    id: 'W-16',
    rule: 'A job that runs while its handler is edited ends as it began; every job after the save has the new handler',
    file: 'system/workers/hotReload',
    tests: [
      'a job that runs while the handler is edited ends as it began, and the next one answers anew',
      'a job that is sent right after a save runs what was saved, with up to %i workers',
    ],
  },
  {
    id: 'W-17',
    rule: 'Nothing of the workers of an engine that was killed runs on once the next one has started',
    file: 'system/workers/leftWorkers',
    tests: [
      'nothing of the workers of an engine that was killed runs on once the next one has started, and their jobs wait again',
    ],
  },
  {
    id: 'W-18',
    rule: 'A handler with a mistake is told in the trouble of its endpoint and its log',
    file: 'system/workers/hotReload',
    tests: ['a handler with a mistake says so in its trouble and its log, and is well the moment it is corrected'],
  },
  {
    id: 'W-19',
    rule: 'A worker that asks with the loop of the public SDK is listed with its version',
    file: 'conformance/workers/publicWorker',
    tests: ['the public worker > is told apart from other workers by what it says it is, and its endpoint remembers'],
  },
] satisfies Rule[];
