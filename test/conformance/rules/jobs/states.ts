/** States. */
import type { Rule } from '../rule.ts';

export default [
  {
    id: 'T-01',
    rule: 'POST /run makes a job that is IN_QUEUE',
    file: 'conformance/jobs/submitting',
    tests: ['POST /run > answers 200 with id and IN_QUEUE, nothing else'],
  },
  {
    id: 'T-02',
    rule: 'A queued job that is cancelled is CANCELLED and never starts',
    file: 'conformance/jobs/cancelling',
    tests: ['cancelling a queued job removes it before it starts'],
  },
  {
    id: 'T-03',
    rule: 'A running job that is cancelled is CANCELLED at once, and stopped',
    file: 'conformance/jobs/cancelling',
    tests: ['cancelling a running job is answered at once and its worker is told to stop it'],
  },
  {
    id: 'T-04',
    rule: 'When ttl has passed, a queued job is deleted: 404',
    file: 'conformance/jobs/deadlines',
    tests: ['when its ttl has passed a queued job is deleted: status answers 404 and no worker gets it'],
  },
  {
    id: 'T-05',
    rule: 'When ttl has passed, a running job is deleted too: 404, and its worker is told',
    file: 'conformance/jobs/deadlines',
    tests: ['when its ttl has passed a running job is deleted too, and its worker is told to stop it'],
  },
  {
    id: 'T-06',
    rule: 'When ttl has passed, whoever waits for the job gets the 404',
    file: 'conformance/jobs/time',
    tests: ['ttl > that has passed while someone waits for the job is a 404 to them'],
  },
  {
    id: 'T-07',
    rule: 'ttl ends the keeping of a result as well',
    file: 'conformance/jobs/time',
    tests: ['results > are gone earlier when the ttl of the job passes before'],
  },
  {
    id: 'T-08',
    rule: 'A result is kept for a fixed time after the end, however long the job took',
    file: 'conformance/jobs/time',
    tests: ['results > are kept from the end on, however long the job took before'],
  },
  {
    id: 'T-09',
    rule: 'A job that a worker takes is IN_PROGRESS',
    file: 'conformance/jobs/submitting',
    tests: ['GET and POST /status/{job} > a job in progress has its delayTime and workerId'],
  },
  {
    id: 'T-10',
    rule: 'A result without error makes the job COMPLETED',
    file: 'conformance/jobs/submitting',
    tests: ['GET and POST /status/{job} > a completed job has output, whole delayTime and executionTime, and workerId'],
  },
  {
    id: 'T-11',
    rule: 'A result with an error makes it FAILED, also beside an output',
    file: 'conformance/workers/protocol',
    tests: ['job-done > an error wins over an output that came with it; both are kept'],
  },
  {
    id: 'T-12',
    rule: 'A result that is no result makes it FAILED, with the reason',
    file: 'conformance/workers/protocol',
    tests: ['job-done > a broken body fails the job with a reason instead of losing it'],
  },
  {
    id: 'T-13',
    rule: 'A job that runs longer than its executionTimeout is TIMED_OUT, and stopped',
    file: 'conformance/jobs/deadlines',
    tests: [
      'a job that runs longer than the executionTimeout %s ends TIMED_OUT, its worker is told to stop it, and a later result changes nothing',
    ],
  },
  {
    id: 'T-14',
    rule: 'Time in the queue does not count towards executionTimeout',
    file: 'conformance/jobs/time',
    tests: ['executionTimeout > does not count what a job waits in the queue'],
  },
  {
    id: 'T-15',
    rule: 'Progress shows as output while the job is IN_PROGRESS',
    file: 'conformance/workers/protocol',
    tests: ['job-done > status IN_PROGRESS is progress: the job goes on and shows it as output'],
  },
  {
    id: 'T-16',
    rule: 'Progress that comes after the end changes nothing',
    file: 'conformance/workers/protocol',
    tests: ['job-done > progress that arrives after the end is answered with success and ignored'],
  },
  {
    id: 'T-17',
    rule: 'A second result changes nothing',
    file: 'conformance/workers/protocol',
    tests: ['job-done > the same result posted again is answered with success and changes nothing'],
  },
  {
    id: 'T-18',
    rule: 'A result after cancel changes nothing',
    file: 'conformance/jobs/cancelling',
    tests: ['a result that arrives after the cancel changes nothing'],
  },
  {
    id: 'T-19',
    rule: 'A result after the time-out changes nothing',
    file: 'conformance/jobs/deadlines',
    tests: [
      'a job that runs longer than the executionTimeout %s ends TIMED_OUT, its worker is told to stop it, and a later result changes nothing',
    ],
  },
  {
    id: 'T-20',
    rule: 'A worker that was not heard of loses its job to the queue once; the second time the job is FAILED',
    file: 'conformance/jobs/time',
    tests: [
      'a worker that is not heard of for 45 seconds loses its job once to the queue, the second time the job fails',
    ],
  },
  {
    id: 'T-21',
    rule: 'The result of a worker that lost the job is not taken',
    file: 'conformance/workers/lostWorkers',
    tests: ['the result of a worker that lost the job is refused: the second attempt stands'],
  },
  {
    id: 'T-22',
    rule: 'A finished job stays as it ended when it is cancelled',
    file: 'conformance/jobs/cancelling',
    tests: ['cancelling a finished job leaves it as it ended'],
  },
  {
    id: 'T-23',
    rule: 'A FAILED job that is retried is IN_QUEUE again, with the same id',
    file: 'conformance/jobs/retrying',
    tests: ['/retry > queues a FAILED job again, with the same id'],
  },
  {
    id: 'T-24',
    rule: 'A TIMED_OUT job that is retried is IN_QUEUE again',
    file: 'conformance/jobs/retrying',
    tests: ['/retry > queues a TIMED_OUT job again, with the time-out of the first attempt'],
  },
  {
    id: 'T-25',
    rule: 'Any other job cannot be retried: a 400 names its state',
    file: 'conformance/jobs/retrying',
    tests: ['/retry > refuses a job that is %s with a 400 that names the state, and changes nothing'],
  },
  {
    id: 'T-26',
    rule: 'Once its results have expired, a job cannot be retried: 404',
    file: 'conformance/jobs/retrying',
    tests: ['/retry > is a 404 once the results have expired'],
  },
  {
    id: 'T-27',
    rule: 'A retry does not prolong the ttl, which counts from submission',
    file: 'conformance/jobs/retrying',
    tests: ['/retry > ends the retention of the first result, and not the ttl, which counts from submission'],
  },
  {
    id: 'T-28',
    rule: 'A waiting job that is purged is CANCELLED, readable until its retention ends',
    file: 'conformance/queue/purging',
    tests: ['/purge-queue > a purged job stays readable until its retention ends, and cannot be retried'],
  },
] satisfies Rule[];
