/** Jobs and endpoints. */
import type { Rule } from '../rule.ts';

export default [
  {
    id: 'J-01',
    rule: "Each endpoint has an address of its own, `/v2/{endpoint}/…`; behind it workers run a handler that turns a job's input into a result",
    file: 'conformance/jobs/submitting',
    tests: ['POST /runsync > waits for the end and returns the full result in one response'],
  },
  {
    id: 'J-02',
    rule: 'A request to a queue-based endpoint becomes a job, which is queued and worked on in the order of arrival',
    file: 'conformance/jobs/submitting',
    tests: ['POST /run > jobs of one endpoint are handed out in the order they were accepted'],
  },
  {
    id: 'J-03',
    rule: 'A job belongs to its endpoint; another endpoint does not know it',
    file: 'conformance/jobs/submitting',
    tests: ['GET and POST /status/{job} > a job of one endpoint is not found under another'],
  },
  {
    id: 'J-04',
    rule: 'A job that is lost with its worker is tried again without anybody asking, once; then it fails',
    file: 'conformance/workers/lostWorkers',
    tests: [
      'a job whose worker is lost is queued again once, with retries 1, and can still complete',
      'a job whose worker is lost a second time fails, with a reason',
    ],
  },
  {
    id: 'J-05',
    rule: 'A job waits in the queue while no worker is free, or none may be started',
    file: 'conformance/jobs/envelope',
    tests: ['a job waits IN_QUEUE while all workers of the maximum are busy, and while there may be none'],
  },
  {
    id: 'J-06',
    rule: 'A job is submitted asynchronously, and its result fetched with status',
    file: 'conformance/jobs/javascriptSdk',
    tests: ['the public JavaScript SDK, unmodified > run, then status until it is completed'],
  },
  {
    id: 'J-07',
    rule: 'A job is submitted synchronously, and its result is the answer',
    file: 'conformance/jobs/javascriptSdk',
    tests: ['the public JavaScript SDK, unmodified > runSync returns the output with its times'],
  },
  {
    id: 'J-08',
    rule: '`id` is text of letters, digits, `-` and `_`, different for each job',
    file: 'conformance/jobs/submitting',
    tests: ['POST /run > ids are made of letters, digits, - and _, and differ'],
  },
  {
    id: 'J-09',
    rule: 'The ids of /runsync begin with `sync-`',
    file: 'conformance/jobs/submitting',
    tests: ['POST /runsync > waits for the end and returns the full result in one response'],
  },
  {
    id: 'J-10',
    rule: '`status` is one of IN_QUEUE, IN_PROGRESS, COMPLETED, FAILED, CANCELLED, TIMED_OUT',
    file: 'conformance/jobs/fields',
    tests: ['the status object of a job > has one of the six states as its status'],
  },
  {
    id: 'J-11',
    rule: '`output` is any JSON value that the handler made, and there only where it made one',
    file: 'conformance/jobs/payloads',
    tests: ['an output of %s is an output'],
  },
  {
    id: 'J-12',
    rule: '`output` is left out where the handler made none',
    file: 'conformance/jobs/fields',
    tests: ['the status object of a job > that is COMPLETED without a result has no output'],
  },
  {
    id: 'J-13',
    rule: '`delayTime` is the time in the queue, `executionTime` the time with the worker, whole milliseconds',
    file: 'conformance/jobs/time',
    tests: ['delayTime is what the job waited and executionTime what it ran, in whole milliseconds'],
  },
  {
    id: 'J-14',
    rule: 'A queued job shows id and status',
    file: 'conformance/jobs/fields',
    tests: ['the status object of a job > that is IN_QUEUE has id and status, nothing else'],
  },
  {
    id: 'J-15',
    rule: 'From IN_PROGRESS on there are delayTime and workerId',
    file: 'conformance/jobs/fields',
    tests: ['the status object of a job > that is IN_PROGRESS has delayTime and workerId besides'],
  },
  {
    id: 'J-16',
    rule: 'A finished job shows id, status, delayTime, executionTime, workerId, and its output',
    file: 'conformance/jobs/fields',
    tests: [
      'the status object of a job > that is COMPLETED has id, status, delayTime, executionTime, workerId and output',
    ],
  },
  {
    id: 'J-17',
    rule: 'A failed job shows an error as text, beside an output if there is one',
    file: 'conformance/jobs/fields',
    tests: [
      'the status object of a job > that is FAILED has error as text, and output only where the worker sent both',
    ],
  },
  {
    id: 'J-18',
    rule: 'A job cancelled before it ran has the same fields, with 0 and empty text for what there never was',
    file: 'conformance/jobs/fields',
    tests: ['the status object of a job > that was CANCELLED in the queue has executionTime 0 and an empty workerId'],
  },
  {
    id: 'J-19',
    rule: 'A job cancelled while it ran keeps its worker and times',
    file: 'conformance/jobs/fields',
    tests: [
      'the status object of a job > that was CANCELLED while it ran keeps its worker and its times, and loses its progress',
    ],
  },
  {
    id: 'J-20',
    rule: 'A job out of time shows an error that names the limit',
    file: 'conformance/jobs/fields',
    tests: ['the status object of a job > that is TIMED_OUT has an error that names its executionTimeout'],
  },
  {
    id: 'J-21',
    rule: '`retries` appears once the job was given to another worker; delayTime then counts anew',
    file: 'conformance/jobs/fields',
    tests: [
      'the status object of a job > has retries only after its worker was lost, and then its delayTime counts anew',
    ],
  },
  {
    id: 'J-22',
    rule: 'Input and settings of a job are not repeated in its status',
    file: 'conformance/jobs/fields',
    tests: ['the status object of a job > never shows the input, the policy, the webhook or the s3Config'],
  },
  {
    id: 'J-23',
    rule: 'Whatever type a worker gives its error, readers get text',
    file: 'conformance/jobs/fields',
    tests: ['an error that is %s is told as text'],
  },
  {
    id: 'J-24',
    rule: 'Payloads are kept as they were written: numbers, order and spelling do not change',
    file: 'conformance/jobs/payloads',
    tests: [
      '%s > reach the worker in the input as they were sent',
      '%s > come back in the output as the worker sent them',
      '%s > come back in a stream chunk as the worker sent them',
    ],
  },
  {
    id: 'J-25',
    rule: 'Payloads of any size within the limits are kept so, through a restart as well',
    file: 'conformance/jobs/largeBodies',
    tests: [
      'a large body > %s comes to the worker as it was sent, and its output back as the worker sent it',
      'a large body > and its output are there after a restart',
    ],
  },
] satisfies Rule[];
