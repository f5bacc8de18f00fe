/** Who may. */
import type { Rule } from '../rule.ts';

export default [
  {
    id: 'A-01',
    rule: 'A key comes in the Authorization header, bare or as a bearer',
    file: 'conformance/access/authorization',
    tests: ['a key > is accepted in the bearer form and bare, on jobs and on management'],
  },
  {
    id: 'A-02',
    rule: 'Without a good key: 401',
    file: 'conformance/access/authorization',
    tests: ['a key > that is %s is a 401 in the error shape'],
  },
  {
    id: 'A-03',
    rule: 'Keys are made, named and deleted by whom they belong to',
    file: 'conformance/access/apiKeys',
    tests: ['keys are listed, renamed, given another scope and deleted'],
  },
  {
    id: 'A-04',
    rule: 'A key that is disabled is refused until it is enabled again',
    file: 'conformance/access/authorization',
    tests: ['a key > that is disabled is refused until it is enabled again'],
  },
  {
    id: 'A-05',
    rule: 'A key that is good for less than what is asked: 403',
    file: 'conformance/access/authorization',
    tests: ['a scope > a refusal for want of scope is in the error shape and names the scope that is needed'],
  },
  {
    id: 'A-06',
    rule: 'What s3Config holds is no key of the service',
    file: 'conformance/access/secrets',
    tests: ['s3Config reaches the worker, and its secrets are in no answer, no log and no file'],
  },
  {
    id: 'A-07',
    rule: "A worker's own key is good for its own protocol only",
    file: 'conformance/access/authorization',
    tests: [
      "a worker's key > is good for the worker protocol of its own endpoint, not of another one, not for jobs, not for management",
    ],
  },
  {
    id: 'A-08',
    rule: 'A key of chosen endpoints is good for their jobs alone',
    file: 'conformance/access/apiKeys',
    tests: [
      'a key of chosen endpoints > sends, reads and cancels jobs of those, and of no others, which it is told in a sentence',
      'a key of chosen endpoints > is refused on every route of the documents that is not about jobs of an endpoint',
    ],
  },
  {
    id: 'A-09',
    rule: 'A key is shown once, when it is made; it works after a restart though only its hash is kept',
    file: 'conformance/access/apiKeys',
    tests: [
      'a key is made with a name, has full scope unless told otherwise, and is shown once',
      'a key made here works after a restart; nothing but its hash is on the disk',
    ],
  },
  {
    id: 'A-10',
    rule: 'A key can be given other endpoints or another scope, which hold from then on',
    file: 'conformance/access/apiKeys',
    tests: ['a key of chosen endpoints > can be given others, and no longer is one with another scope'],
  },
  {
    id: 'A-11',
    rule: 'A key tells when it was last used',
    file: 'conformance/access/apiKeys',
    tests: ['a key tells when it was last used'],
  },
  {
    id: 'A-12',
    rule: 'Endpoints are named where a key has the scope of chosen ones, and nowhere else: 400',
    file: 'conformance/access/apiKeys',
    tests: ['%s is a 400 and makes no key'],
  },
  {
    id: 'A-13',
    rule: 'Who may not is refused on every route and for every field of GraphQL, and changes nothing',
    file: 'conformance/access/access',
    tests: [
      'the table has every route that is served, and every field of GraphQL, and nothing else',
      '%s > answers those who may and refuses the others; only those who may change something change it; only those who may do everything are told secrets',
    ],
  },
  {
    id: 'A-14',
    rule: 'Who may only read leaves everything as it is',
    file: 'conformance/access/access',
    tests: [
      '%s > answers those who may and refuses the others; only those who may change something change it; only those who may do everything are told secrets',
    ],
  },
  {
    id: 'A-15',
    rule: 'The values of variables, and addresses of webhooks but for their host, are told to keys of the scope `all` alone',
    file: 'conformance/access/access',
    tests: [
      '%s > answers those who may and refuses the others; only those who may change something change it; only those who may do everything are told secrets',
    ],
  },
  {
    id: 'A-16',
    rule: 'What is open under a key ends once the key is deleted, disabled or given less, and not before',
    file: 'conformance/access/access',
    tests: ['under a key, %s > ends once its key is %s, and not before'],
  },
  {
    id: 'A-17',
    rule: 'Who ends the own key is answered',
    file: 'conformance/access/access',
    tests: ['a key that ends itself is answered'],
  },
  {
    id: 'A-18',
    rule: 'The chunks of a stream are told to a key that may only read, and kept for who takes them',
    file: 'conformance/jobs/streaming',
    tests: ['GET /stream/{job} > tells a key that may only read what there is, and keeps it for who takes it'],
  },
  {
    id: 'A-19',
    rule: 'Who follows the chunks of a job under /local/v1 takes none of them from the readers of its stream',
    file: 'conformance/local/jobFeed',
    tests: [
      'the chunks of a job that runs > come to each reader from its own place on, and the script still gets each of them once',
      'the chunks of a job that runs > begin anew for a job that was queued again',
    ],
  },
  {
    id: 'A-20',
    rule: 'A pairing code becomes a key of its own, without a key, and only once',
    file: 'conformance/access/apiKeys',
    tests: ['a pairing code becomes a key with a name of its own, without a key and once'],
  },
] satisfies Rule[];
