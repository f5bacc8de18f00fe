/** Limits. */
import type { Rule } from '../rule.ts';

export default [
  {
    id: 'L-01',
    rule: 'A body of /run is at most 10 MB, one of /runsync at most 20 MB',
    file: 'conformance/jobs/bodies',
    tests: ['/%s takes a body of %s > %s, and refuses one byte more with a 413 that names both'],
  },
  {
    id: 'L-02',
    rule: 'Results of /run are kept for 30 minutes',
    file: 'conformance/jobs/time',
    tests: ['results > of /run are kept for 30 minutes after the end, then they are a 404: %s'],
  },
  {
    id: 'L-03',
    rule: 'Results of /runsync are kept for 1 minute',
    file: 'conformance/jobs/time',
    tests: ['results > of /runsync are kept for 1 minute after the end'],
  },
  {
    id: 'L-04',
    rule: 'Results of /runsync with wait are kept for 5 minutes',
    file: 'conformance/jobs/time',
    tests: ['results > of /runsync with wait are kept for 5 minutes after the end'],
  },
  {
    id: 'L-05',
    rule: "A worker's result is at most 20 MB; a larger one fails the job with a reason",
    file: 'conformance/jobs/errors',
    tests: ['a body that is too large > a result above the limit fails its job with a reason instead of losing it'],
  },
  {
    id: 'L-06',
    rule: 'The largest bodies can be changed; a violation names what holds now',
    file: 'conformance/autoscaling/changedLimits',
    tests: ['the largest body of /%s'],
  },
  {
    id: 'L-07',
    rule: 'The range and the default of wait can be changed',
    file: 'conformance/autoscaling/changedLimits',
    tests: ['how long /runsync waits, and the range of wait'],
  },
  {
    id: 'L-08',
    rule: 'The ranges of the policy can be changed, for bodies of any size',
    file: 'conformance/autoscaling/changedLimits',
    tests: ['the ranges of a policy, in %s'],
  },
  {
    id: 'L-09',
    rule: 'How long results are kept can be changed',
    file: 'conformance/autoscaling/changedLimits',
    tests: ['how long results are kept'],
  },
  {
    id: 'L-10',
    rule: 'The largest chunk can be changed; larger ones are split by it',
    file: 'conformance/autoscaling/changedLimits',
    tests: ['the largest chunk: a %s one is split by it'],
  },
  {
    id: 'L-11',
    rule: 'How often and how soon a webhook is tried again can be changed',
    file: 'conformance/autoscaling/changedLimits',
    tests: ['how often a webhook is tried again'],
  },
  {
    id: 'R-01',
    rule: 'Each operation of an endpoint takes its own number of requests in 10 seconds',
    file: 'conformance/local/settings',
    tests: ['the settings hold the numbers of the description until they are changed'],
  },
  {
    id: 'R-02',
    rule: 'Endpoints and operations are counted apart',
    file: 'system/faults/rates',
    tests: ['fault 25: other operations and other endpoints go on; status-sync and a POST count as status'],
  },
  {
    id: 'R-03',
    rule: 'Only so many requests of an operation are held open at once',
    file: 'system/faults/rates',
    tests: ['fault 25: what is held open counts until it is answered, and only so many are held'],
  },
  {
    id: 'R-04',
    rule: 'The effective limit is the higher of the base limit and what the running workers allow together',
    file: 'system/faults/rates',
    tests: ['each running worker raises the limit once theirs together is higher'],
  },
  {
    id: 'R-05',
    rule: '/purge-queue is taken twice in 10 seconds',
    file: 'conformance/queue/purging',
    tests: ['/purge-queue > is taken twice in 10 seconds, not more often'],
  },
  {
    id: 'R-06',
    rule: '/health and the worker protocol are never refused for their rate',
    file: 'system/faults/rates',
    tests: ['fault 25: in a storm of refusals health, cancel and the worker protocol work'],
  },
] satisfies Rule[];
