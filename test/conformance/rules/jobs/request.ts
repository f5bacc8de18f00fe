/** The request. */
import type { Rule } from '../rule.ts';

export default [
  {
    id: 'E-01',
    rule: '`input` is needed',
    file: 'conformance/jobs/errors',
    tests: ['a body that is not a job > a missing input is named'],
  },
  {
    id: 'E-02',
    rule: '`input` is an object',
    file: 'conformance/jobs/errors',
    tests: ['a body that is not a job > %s is a 400'],
  },
  {
    id: 'E-03',
    rule: 'An empty input is a job like any other',
    file: 'conformance/jobs/submitting',
    tests: ['POST /run > an empty input object is a job like any other'],
  },
  {
    id: 'E-04',
    rule: 'The body is JSON in UTF-8',
    file: 'conformance/jobs/errors',
    tests: ['a body that is not a job > %s is a 400 that says what is wrong with the JSON'],
  },
  {
    id: 'E-05',
    rule: "Each field of the envelope has its type; another one is refused with the field's name",
    file: 'conformance/jobs/errors',
    tests: ['a body that is not a job > %s is a 400 that names the field'],
  },
  {
    id: 'E-06',
    rule: 'Fields that are not known are ignored here and kept for the handler',
    file: 'conformance/jobs/envelope',
    tests: [
      'fields of the envelope > that nobody knows are kept for the handler, at the top and inside policy and s3Config',
    ],
  },
  {
    id: 'E-07',
    rule: 'Query parameters that are not known are ignored',
    file: 'conformance/jobs/envelope',
    tests: ['query parameters that nobody knows are ignored on every operation'],
  },
  {
    id: 'E-08',
    rule: 'The body counts, not its content type',
    file: 'conformance/jobs/submitting',
    tests: ['POST /run > unknown query parameters and content types do not matter'],
  },
  {
    id: 'E-09',
    rule: 'The id of a job is given by the service, whatever the body says',
    file: 'conformance/jobs/envelope',
    tests: ['fields of the envelope > named id do not give the job an id of their own'],
  },
  {
    id: 'E-10',
    rule: 'A request that is refused leaves no job behind',
    file: 'conformance/jobs/errors',
    tests: ['a body that is not a job > what was refused changed nothing'],
  },
  {
    id: 'P-01',
    rule: 'policy.executionTimeout and policy.ttl are whole numbers of milliseconds',
    file: 'conformance/jobs/envelope',
    tests: ['policy.%s > that is %s is a 400 that names the field and its range'],
  },
  {
    id: 'P-02',
    rule: 'policy.executionTimeout is from 5 seconds to 7 days, policy.ttl from 10 seconds to 7 days, both ends included; nothing is clamped',
    file: 'conformance/jobs/envelope',
    tests: ['policy.%s > is taken at both ends of its range and refused one beyond, on /run and /runsync'],
  },
  {
    id: 'P-03',
    rule: 'executionTimeout is 10 minutes unless said otherwise',
    file: 'conformance/jobs/time',
    tests: ['executionTimeout > is 10 minutes unless said otherwise'],
  },
  {
    id: 'P-04',
    rule: "policy.executionTimeout overrides the endpoint's own for this job only",
    file: 'conformance/jobs/time',
    tests: ['executionTimeout > of the policy overrides that of the endpoint for this job only'],
  },
  {
    id: 'P-05',
    rule: "The endpoint's own executionTimeoutMs holds for jobs that name none",
    file: 'conformance/jobs/deadlines',
    tests: [
      'a job that runs longer than the executionTimeout %s ends TIMED_OUT, its worker is told to stop it, and a later result changes nothing',
    ],
  },
  {
    id: 'P-06',
    rule: 'ttl is 24 hours unless said otherwise',
    file: 'conformance/jobs/time',
    tests: ['ttl > is 24 hours unless said otherwise, counted from submission'],
  },
  {
    id: 'P-07',
    rule: 'ttl may be as long as 7 days',
    file: 'conformance/jobs/time',
    tests: ['ttl > may be as long as 7 days'],
  },
  {
    id: 'P-08',
    rule: 'ttl is a hard limit over queue and execution together',
    file: 'conformance/jobs/time',
    tests: ['ttl > covers queue and execution: what a job waits is taken from what it may run'],
  },
  {
    id: 'P-09',
    rule: 'policy.lowPriority is true or false',
    file: 'conformance/jobs/envelope',
    tests: ['fields of the envelope > policy.lowPriority must be true or false: %s is a 400'],
  },
  {
    id: 'P-10',
    rule: 'A job of low priority does not make workers start; without lowPriority it does',
    file: 'conformance/jobs/envelope',
    tests: ['a job of low priority > starts no worker, and is done once there is one for other jobs'],
  },
  {
    id: 'S-01',
    rule: 'The four fields of s3Config are text',
    file: 'conformance/jobs/envelope',
    tests: ['fields of the envelope > s3Config.%s must be text: anything else is a 400 that names it'],
  },
  {
    id: 'S-02',
    rule: 's3Config is only passed on, to the worker',
    file: 'conformance/jobs/submitting',
    tests: ['POST /run > what the envelope carries besides input reaches the worker'],
  },
  {
    id: 'S-03',
    rule: 'The secrets of s3Config stand in no answer, no error, no log and no file',
    file: 'conformance/access/secrets',
    tests: ['s3Config reaches the worker, and its secrets are in no answer, no log and no file'],
  },
] satisfies Rule[];
