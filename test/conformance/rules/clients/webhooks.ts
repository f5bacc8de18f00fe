/** Webhooks. */
import type { Rule } from '../rule.ts';

export default [
  {
    id: 'H-01',
    rule: 'A webhook is sent the whole job when it completes, input and output byte for byte',
    file: 'conformance/webhooks/webhooks',
    tests: [
      'what is sent > the whole job is posted when it completes, its input and output byte for byte as they were written',
      'what is sent > large inputs and outputs are sent byte for byte from their files',
    ],
  },
  {
    id: 'H-02',
    rule: 'A failed job is told with its error',
    file: 'conformance/webhooks/webhooks',
    tests: ['what is sent > a job that fails is told with its error; output is null'],
  },
  {
    id: 'H-03',
    rule: 'A job out of time is told with its error',
    file: 'conformance/webhooks/webhooks',
    tests: ['what is sent > a job that is out of time is told as TIMED_OUT'],
  },
  {
    id: 'H-04',
    rule: 'The call is JSON, names Hangar, the delivery and the attempt, and carries no key',
    file: 'conformance/webhooks/webhooks',
    tests: ['what is sent > the call names Hangar, the delivery and the attempt, and carries no key'],
  },
  {
    id: 'H-05',
    rule: 'A name and password in the address become basic authorization, and are shown to nobody',
    file: 'conformance/webhooks/webhooks',
    tests: ['what is sent > a name and password in the address become basic authorization, and are shown to nobody'],
  },
  {
    id: 'H-06',
    rule: 'Nobody is told of a cancelled job',
    file: 'conformance/webhooks/webhooks',
    tests: ['what is sent > nobody is told of a job that is cancelled, and webhookV2 means nothing'],
  },
  {
    id: 'H-07',
    rule: 'The address is an http address, not too long',
    file: 'conformance/webhooks/webhooks',
    tests: ['what is sent > an address that is no http address, or is too long, is a 400'],
  },
  {
    id: 'H-08',
    rule: 'Any 2xx is delivered; anything else, or nothing, is tried again',
    file: 'system/faults/webhooks',
    tests: [
      'receivers that do what they should not > fault 26: the first attempt at the receiver "%s" is on record with status %s and its reason',
    ],
  },
  {
    id: 'H-09',
    rule: 'Up to 2 more attempts are made, 10 seconds apart',
    file: 'system/faults/webhooks',
    tests: [
      'receivers that do what they should not > fault 26: the second attempt comes 10 s after the first was over, and is on record with it',
    ],
  },
  {
    id: 'H-10',
    rule: 'A later attempt sends the same as the first, whatever became of the job',
    file: 'system/faults/webhooks',
    tests: [
      'receivers that do what they should not > fault 26: a later attempt sends the same as the first, though the job and its files are gone',
    ],
  },
  {
    id: 'H-11',
    rule: 'An attempt has 10 seconds',
    file: 'system/faults/webhooks',
    tests: [
      'receivers that do what they should not > fault 26: a receiver that hangs, or drips its answer, is given up after 10 s',
    ],
  },
  {
    id: 'H-12',
    rule: 'An answer is read up to its limit, and thrown away',
    file: 'system/faults/webhooks',
    tests: [
      'receivers that do what they should not > fault 26: of a huge answer no more is read than its limit',
      'receivers that do what they should not > fault 26: an answer without end is 2xx all the same, and is not waited for',
    ],
  },
  {
    id: 'H-13',
    rule: 'Redirects are not followed, certificates have to be trusted',
    file: 'system/faults/webhooks',
    tests: [
      'receivers that do what they should not > fault 26: no redirect is followed, and nothing is sent where the certificate is not trusted',
    ],
  },
  {
    id: 'H-14',
    rule: 'Receivers that hang hold up no other',
    file: 'system/faults/webhooks',
    tests: [
      'receivers that do what they should not > fault 26: while others hang, a receiver that answers is told at once',
    ],
  },
  {
    id: 'H-15',
    rule: 'Attempts survive a restart of the engine',
    file: 'system/faults/webhooks',
    tests: [
      'an engine that is killed between attempts > fault 26: goes on with the second attempt when that is due',
      'an engine that is killed between attempts > fault 4: tells of the job whose call was under way once more, and then never again',
    ],
  },
  {
    id: 'H-16',
    rule: 'Every attempt is on record with its time and status',
    file: 'conformance/webhooks/webhooks',
    tests: [
      'the log > each attempt is on record with its time and status',
      'the log > a call that was not answered 2xx is pending, with its reason and the time of the next attempt',
    ],
  },
  {
    id: 'H-17',
    rule: 'Deliveries are listed newest first, by job, endpoint and state',
    file: 'conformance/webhooks/webhooks',
    tests: [
      'the log > is listed newest first, by job, endpoint and state, and as many as asked for',
      'the log > ?%s is a 400',
      'the log > a delivery that is not there is a 404',
    ],
  },
  {
    id: 'H-18',
    rule: 'A delivery that has ended can be sent again',
    file: 'conformance/webhooks/webhooks',
    tests: ['the log > a delivery can be sent again, as it was, once it has ended'],
  },
  {
    id: 'H-19',
    rule: 'Reading deliveries takes a key, sending again one that may send jobs',
    file: 'conformance/webhooks/webhooks',
    tests: ['the log > reading it takes a key, sending again one that may send jobs'],
  },
  {
    id: 'H-20',
    rule: 'Deleting an endpoint takes back nothing that its ended jobs were to tell',
    file: 'conformance/webhooks/webhooks',
    tests: ['deleting an endpoint does not take back what its ended jobs were to tell'],
  },
  {
    id: 'H-21',
    rule: 'Chunks are asked for by clients and pushed to nobody',
    file: 'conformance/jobs/streaming',
    tests: ['GET /stream/{job} > is a JSON array of the chunks not yet read, in the order they were sent'],
  },
] satisfies Rule[];
