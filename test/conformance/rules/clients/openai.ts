/** OpenAI clients. */
import type { Rule } from '../rule.ts';

export default [
  {
    id: 'I-01',
    rule: 'Any path below /openai becomes a job with the path as openai_route and the request body, byte for byte, as openai_input',
    file: 'conformance/openai/openai',
    tests: [
      'a request below /openai > becomes a job with the path and the body exactly as they were sent',
      'a request below /openai > may have any path',
    ],
  },
  {
    id: 'I-02',
    rule: 'A GET becomes a job with openai_route alone; a query is not part of it',
    file: 'conformance/openai/openai',
    tests: ['a request below /openai > by GET becomes a job with the path alone; a query is not part of the path'],
  },
  {
    id: 'I-03',
    rule: 'The body may have 20 MB',
    file: 'conformance/openai/openai',
    tests: [
      'a request below /openai > takes 20 MB and refuses one byte more',
      'a large request > that is %s is refused like a small one',
    ],
  },
  {
    id: 'I-04',
    rule: 'Without a stream the answer is the one object that was yielded, or what was returned',
    file: 'conformance/openai/openai',
    tests: [
      'the answer in one piece > is the one object that was yielded, also above the limit of a chunk',
      'the answer in one piece > is what the handler returned where it yielded nothing',
      'the answer in one piece > is a large %s that was returned',
    ],
  },
  {
    id: 'I-05',
    rule: 'Several texts are joined, several objects are a list',
    file: 'conformance/openai/openai',
    tests: [
      'the answer in one piece > is plain text where the texts that were yielded are not JSON',
      'the answer in one piece > is a list where several objects were yielded',
    ],
  },
  {
    id: 'I-06',
    rule: 'The id of the job is the id of the request',
    file: 'conformance/openai/streaming',
    tests: [
      'a handler that yields the text of the stream > has each piece sent as it is written, byte for byte, wherever it was cut',
    ],
  },
  {
    id: 'I-07',
    rule: 'A stream is passed on as the handler writes it, at once and unchanged',
    file: 'conformance/openai/streaming',
    tests: [
      'a handler that yields the text of the stream > has each piece sent as it is written, byte for byte, wherever it was cut',
      'a handler that yields the text of the stream > may cut between the halves of a character',
      'a handler that yields the text of the stream > brings its own end: nothing is added to it',
    ],
  },
  {
    id: 'I-08',
    rule: 'Objects that are yielded become events, and then the end is told',
    file: 'conformance/openai/streaming',
    tests: [
      'a handler that yields objects > has an event made of each, as its worker wrote it, and the end told',
      'a handler that yields objects > or returns one has it sent as the only event',
    ],
  },
  {
    id: 'I-09',
    rule: "An error of the worker is answered with the status that fits, in the shape of OpenAI's errors",
    file: 'conformance/openai/errors',
    tests: ['an error of the worker > %s becomes the status that fits and an error that clients read'],
  },
  {
    id: 'I-10',
    rule: 'A job that ends without a result is such an error, with the real reason',
    file: 'conformance/openai/errors',
    tests: [
      'a job that ends otherwise > by its executionTimeout is a 504 that clients do not try again',
      'a job that ends otherwise > cancelled by somebody who has its id is a 409 that says so',
      'a job that ends otherwise > removed with its endpoint is a 504',
    ],
  },
  {
    id: 'I-11',
    rule: 'An error after a stream has begun is its last event',
    file: 'conformance/openai/streaming',
    tests: [
      'an error > after it has begun is an event, also in the middle of another one, and the stream ends',
      'an error > before the stream has begun has an HTTP status of its own',
    ],
  },
  {
    id: 'I-12',
    rule: 'What was sent of a stream is never sent again: where its job begins anew, it ends with an error',
    file: 'conformance/openai/streaming',
    tests: [
      'an error > is the end of a stream whose job begins anew: it is not told twice',
      'an error > is no matter of a worker that dies before it has written anything: the next one answers',
    ],
  },
  {
    id: 'I-13',
    rule: 'A caller who goes away takes the job along',
    file: 'conformance/openai/openai',
    tests: [
      'a caller who goes away > takes a running job along, and its worker is told to stop',
      'a caller who goes away > takes a waiting job along: the queue is empty again',
    ],
  },
  {
    id: 'I-14',
    rule: 'A reader who goes away stops the handler; one who does not read fills no memory',
    file: 'conformance/openai/streaming',
    tests: [
      'the reader of a stream > who goes away takes the job along, and its handler is told',
      'the reader of a stream > who does not read fills no memory: what was written waits on disk, and is all there later',
    ],
  },
  {
    id: 'I-15',
    rule: 'When the engine goes, so do these jobs; streams are told',
    file: 'conformance/openai/streaming',
    tests: [
      'an engine that goes > ends a stream with an error event when it is stopped, and its job does not begin anew',
    ],
  },
  {
    id: 'I-16',
    rule: "Refusals of the service have the shape of OpenAI's errors there",
    file: 'conformance/openai/errors',
    tests: [
      'what Hangar itself refuses on these paths > has the shape that OpenAI clients read, and the fields of every other error',
      'what Hangar itself refuses on these paths > leaves errors of every other path as they are',
    ],
  },
  {
    id: 'I-17',
    rule: 'A form with a file is refused with the true reason',
    file: 'conformance/openai/errors',
    tests: [
      'what Hangar itself refuses on these paths > a form with a file is refused with the true reason, and no job is made of it',
    ],
  },
] satisfies Rule[];
