/** Load balancing. */
import type { Rule } from '../rule.ts';

export default [
  {
    id: 'B-01',
    rule: 'Every path below /lb/{endpoint}/ reaches a worker, with its query',
    file: 'conformance/loadBalancing/balancing',
    tests: ['an endpoint of type LB > is reached at /lb/{endpoint}/ with whatever path and query its worker knows'],
  },
  {
    id: 'B-02',
    rule: 'So does every path of the host {endpoint}.localhost',
    file: 'conformance/loadBalancing/balancing',
    tests: [
      'an endpoint of type LB > is reached at {endpoint}.localhost with every path, also those that the engine has itself',
    ],
  },
  {
    id: 'B-03',
    rule: 'Requests and WebSockets need a key that is good for jobs, as a bearer or bare',
    file: 'conformance/loadBalancing/balancing',
    tests: ['an endpoint of type LB > needs a key, as a bearer or bare, good for jobs (%s)'],
  },
  {
    id: 'B-04',
    rule: 'Requests and WebSockets need a key that is good for jobs, as a bearer or bare (WebSockets)',
    file: 'conformance/loadBalancing/handshakes',
    tests: [
      'the handshake of a WebSocket > needs a key that is good for jobs, and its worker hears nothing of it without',
    ],
  },
  {
    id: 'B-05',
    rule: 'A worker sees the headers of its caller, but not the key',
    file: 'conformance/loadBalancing/balancing',
    tests: [
      'an endpoint of type LB > does not show the key to its worker, nor headers of one connection; it tells who asked for what',
    ],
  },
  {
    id: 'B-06',
    rule: 'A caller sees the status, the headers and the trailers of the worker',
    file: 'conformance/loadBalancing/balancing',
    tests: [
      'an endpoint of type LB > passes back the status, its words, and the headers as the worker sent them',
      'an endpoint of type LB > passes trailers on, both ways',
    ],
  },
  {
    id: 'B-07',
    rule: 'Bodies are passed on as they come, neither kept nor awaited',
    file: 'conformance/loadBalancing/balancing',
    tests: ['an endpoint of type LB > passes a stream of events on as they come'],
  },
  {
    id: 'B-08',
    rule: 'Bodies are passed on as they come, neither kept nor awaited (memory)',
    file: 'conformance/loadBalancing/bodies',
    tests: [
      'a body > of a request is with the worker while it is still being sent, and its answer with the caller',
      'a body > that nobody reads waits where it comes from',
    ],
  },
  {
    id: 'B-09',
    rule: 'A body may have 30 MB each way, announced or not',
    file: 'conformance/loadBalancing/bodies',
    tests: [
      'a body > of 30 MB passes either way',
      'a body > above 30 MB is a 413, announced or not',
      'a body > of an answer above 30 MB is a 502 where it is announced, and cut where it is not',
    ],
  },
  {
    id: 'B-10',
    rule: 'There is no queue: operations for jobs are refused, and health counts workers',
    file: 'conformance/loadBalancing/balancing',
    tests: [
      'an endpoint of type LB > has no queue: every operation for jobs is a 400 that says so, and health counts its workers',
    ],
  },
  {
    id: 'B-11',
    rule: 'Without a worker for 2 minutes a request is refused, one that insists on its worker after 5',
    file: 'conformance/loadBalancing/time',
    tests: [
      'a request that finds no worker in 2 minutes is a 400 that says what it waited for',
      'a request that insists on a worker waits 5 minutes for it',
    ],
  },
  {
    id: 'B-12',
    rule: 'A request may be with its worker for 5.5 minutes, a WebSocket for as long as it likes',
    file: 'conformance/loadBalancing/time',
    tests: [
      'a request that has been with its worker for 5.5 minutes is a 504, and one whose answer has begun is cut',
      'a WebSocket stays open for as long as its ends like',
    ],
  },
  {
    id: 'B-13',
    rule: 'Nothing is tried again: a worker that dies or breaks off is a 502',
    file: 'conformance/loadBalancing/workers',
    tests: [
      'a request > whose worker dies is a 502 with the reason, and is not tried again',
      'a request > that its worker breaks off without an answer is a 502',
    ],
  },
  {
    id: 'B-14',
    rule: 'The scaler is REQUEST_COUNT, and the type stays',
    file: 'conformance/loadBalancing/balancing',
    tests: [
      'an endpoint of type LB > scales by REQUEST_COUNT only',
      'an endpoint of type LB > keeps its type: another one is a 400 that says so',
    ],
  },
  {
    id: 'B-15',
    rule: 'An endpoint with a queue balances no load',
    file: 'conformance/loadBalancing/balancing',
    tests: ['an endpoint with a queue balances no load, and says so'],
  },
  {
    id: 'B-16',
    rule: 'A request goes to the least busy worker; more than they are meant for call for another',
    file: 'conformance/loadBalancing/workers',
    tests: [
      'a request > goes to the least busy worker, in turn',
      'a request > above what the workers are meant for calls for one more',
    ],
  },
  {
    id: 'B-17',
    rule: 'X-Runpod-Worker-Id tells the worker of an answer and asks for one; strict insists',
    file: 'conformance/loadBalancing/workers',
    tests: ['a request > is answered with the id of its worker, and goes there again if it names it'],
  },
  {
    id: 'B-18',
    rule: 'X-Runpod-Worker-Id tells the worker of an answer and asks for one; strict insists (WebSockets)',
    file: 'conformance/loadBalancing/handshakes',
    tests: ['the handshake of a WebSocket > tells the id of its worker, and goes to the one that it names'],
  },
  {
    id: 'B-19',
    rule: 'Health is asked at HEALTH_CHECK_PATH on PORT_HEALTH: 200 is ready, 204 starting',
    file: 'conformance/loadBalancing/workers',
    tests: ['the health of a worker > is asked at HEALTH_CHECK_PATH on PORT_HEALTH: 204 is starting, 200 is ready'],
  },
  {
    id: 'B-20',
    rule: 'A WebSocket passes every message in order and byte for byte',
    file: 'conformance/loadBalancing/webSockets',
    tests: ['a WebSocket > echoes 10,000 messages through %s, text and binary, in order and byte for byte'],
  },
  {
    id: 'B-21',
    rule: 'Codes and reasons of its close pass both ways',
    file: 'conformance/loadBalancing/webSockets',
    tests: [
      'a WebSocket > that its worker closes tells the caller the code and the reason',
      'a WebSocket > that the caller closes tells the worker the code and the reason',
      'a WebSocket > that its worker closes while the caller still sends tells the code once the caller reads again',
    ],
  },
  {
    id: 'B-22',
    rule: 'A WebSocket whose worker dies breaks (1006) and is not closed as if all had been said',
    file: 'conformance/loadBalancing/webSockets',
    tests: ['a WebSocket > whose worker dies is not closed as if all had been said: 1006'],
  },
  {
    id: 'B-23',
    rule: 'No byte of one caller reaches another, however requests and answers are framed',
    file: 'conformance/loadBalancing/fuzz',
    tests: [
      'a caller is never answered with a byte of another, however wrong the requests and answers beside its own are',
    ],
  },
  {
    id: 'B-24',
    rule: 'A WebSocket handshake with a body is refused',
    file: 'conformance/loadBalancing/handshakes',
    tests: ['the handshake of a WebSocket > has no body: one with %s is refused, and its connection ends'],
  },
] satisfies Rule[];
