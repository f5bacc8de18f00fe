/** Pods. */
import type { Rule } from '../rule.ts';

export default [
  {
    id: 'Z-01',
    rule: "A Pod is made with 201; it is RUNNING, and its container has the Pod's variables, the person's and its volume",
    file: 'conformance/containers/pods',
    tests: ['Pods > POST /v1/pods answers 201 with the Pod, and its container is given its variables and its volume'],
  },
  {
    id: 'Z-02',
    rule: 'A port of kind tcp is reached at the port of `portMappings`',
    file: 'conformance/containers/pods',
    tests: ['Pods > a port of kind tcp answers from outside the container, at the port of portMappings'],
  },
  {
    id: 'Z-03',
    rule: 'A change of its name or lock is made in place, any other by making its container anew; POST …/update is PATCH',
    file: 'conformance/containers/pods',
    tests: ['Pods > %s /v1/pods/{podId}%s changes a Pod: its name in place, its variables with a container made anew'],
  },
  {
    id: 'Z-04',
    rule: 'Changes that come at once are all kept',
    file: 'conformance/containers/pods',
    tests: ['Pods > changes of one Pod that come at once are all kept'],
  },
  {
    id: 'Z-05',
    rule: 'A stop keeps container and volume, a start goes on with both, a restart keeps both, a reset keeps the volume alone',
    file: 'conformance/containers/podLives',
    tests: [
      'the life of a Pod > a stop keeps container and volume, a start goes on with both, a reset wipes the container and keeps the volume',
    ],
  },
  {
    id: 'Z-06',
    rule: 'A deleted Pod is gone with all it had, and is told of as TERMINATED for an hour',
    file: 'conformance/containers/pods',
    tests: [
      'Pods > a Pod that is deleted is gone with its container and its volume, and told of as TERMINATED for a while',
    ],
  },
  {
    id: 'Z-07',
    rule: 'A locked Pod refuses stop, reset and delete',
    file: 'conformance/containers/pods',
    tests: ['Pods > a locked Pod refuses stop, reset and delete, and says how it is unlocked'],
  },
  {
    id: 'Z-08',
    rule: 'What a Pod refers to is there, and is not deleted as long as it uses it',
    file: 'conformance/containers/pods',
    tests: [
      'Pods > what a Pod refers to > is checked when it is made, and cannot be deleted as long as it uses it: the message names the Pod',
    ],
  },
  {
    id: 'Z-09',
    rule: 'What cannot be made is refused with 400 in words',
    file: 'conformance/containers/pods',
    tests: ['Pods > what a Pod refers to > %j is refused with 400 in words'],
  },
  {
    id: 'Z-10',
    rule: 'Pods are listed by every filter of the description; workers are among them for those who ask',
    file: 'conformance/containers/pods',
    tests: ['Pods > GET /v1/pods lists those that every filter fits, and workers to those who ask for them'],
  },
  {
    id: 'Z-11',
    rule: 'Reading Pods takes a key, changing them one of the scope `all`',
    file: 'conformance/containers/pods',
    tests: ['Pods > a key that may only read lists Pods and changes none'],
  },
  {
    id: 'Z-12',
    rule: 'A Pod holds its GPUs until it is stopped; who wants one that is held is told who holds it',
    file: 'conformance/containers/podLives',
    tests: [
      'the life of a Pod > a Pod holds the GPU it was made for until it is stopped; meanwhile another is refused and told who holds it',
    ],
  },
  {
    id: 'Z-13',
    rule: '`runtime` has the uptime, the ports, and what the container uses',
    file: 'conformance/containers/podLives',
    tests: ['the life of a Pod > runtime tells the uptime, the ports and a load that rises under work'],
  },
  {
    id: 'Z-14',
    rule: 'An image that cannot be had leaves the Pod RUNNING, with the reason, and is asked for again',
    file: 'conformance/containers/podLives',
    tests: [
      'the life of a Pod > an image that cannot be had leaves the Pod RUNNING with the reason, and a stop or a delete breaks the attempt off',
    ],
  },
  {
    id: 'Z-15',
    rule: 'A container that ends by itself is started again; how it ended is told',
    file: 'conformance/containers/podLives',
    tests: [
      'the life of a Pod > a container that ends by itself is started again, and its exit code and its last lines are told',
    ],
  },
  {
    id: 'Z-16',
    rule: 'Pods run on when the engine ends, which says so, and are found again as they are meant to be',
    file: 'conformance/containers/podLives',
    tests: [
      'the life of a Pod > Pods run on when the engine ends, and are found again as they were, with what happened meanwhile',
    ],
  },
  {
    id: 'Z-17',
    rule: 'Pods run again when the container engine comes back; until then every call that needs it says what is missing',
    file: 'conformance/containers/podLives',
    tests: [
      'the life of a Pod > when the container engine goes, that is the problem of its Pods; when it comes back they run again',
    ],
  },
  {
    id: 'Z-18',
    rule: 'An http port is reached at `{podId}-{port}.localhost` of the engine without a key over loopback, with one from other machines, which the Pod does not see, and with all headers but those of one connection',
    file: 'conformance/containers/podAddresses',
    tests: [
      'an http port of a Pod > asks another machine for a key that allows everything, and keeps it from the Pod',
      'an http port of a Pod > asks another machine for a key for WebSockets, too, and ends them with the key',
      'an http port of a Pod > on another machine gets requests and WebSockets with the key of the account, which it does not see',
      'an http port of a Pod > is reached at {podId}-{port}.localhost of the engine without a key, and is told what it was asked, keys of its own included',
    ],
  },
  {
    id: 'Z-19',
    rule: 'Requests to Pods may be as large as they like',
    file: 'conformance/containers/podAddresses',
    tests: ['an http port of a Pod > takes more than a load-balancing endpoint may'],
  },
  {
    id: 'Z-20',
    rule: 'WebSockets reach Pods',
    file: 'conformance/containers/podAddresses',
    tests: ['an http port of a Pod > passes WebSockets through'],
  },
  {
    id: 'Z-21',
    rule: 'Whoever asks for a port that cannot be reached is told why',
    file: 'conformance/containers/podAddresses',
    tests: ['an http port of a Pod > that cannot be reached says why: no such port, stopped, deleted, unknown'],
  },
  {
    id: 'Z-22',
    rule: 'Pausing stops no Pod, and says so',
    file: 'conformance/containers/podLives',
    tests: ['the life of a Pod > pausing stops no Pod, and says so'],
  },
  {
    id: 'Z-23',
    rule: 'What the container of a Pod writes is listed, searched and followed over its restarts, also what it wrote while the engine was away',
    file: 'conformance/containers/podLogs',
    tests: [
      'the log of a Pod > has both streams with their levels, in pages whose lines are found by text and by level',
      'the log of a Pod > is followed over a stop and a start, and goes on after the last line that a reader has',
      'the log of a Pod > has what was written while the engine was away',
      'the log of a Pod > is told by REST v2 with a time of its own for each line, from its last lines on or from a time',
      'the log of a Pod > ends for a reader whose key is deleted',
    ],
  },
  {
    id: 'Z-24',
    rule: 'A Pod stops by itself once it was idle for as long, or has cost as much, as a person said, and its events say why',
    file: 'conformance/containers/podAutoStop',
    tests: [
      'the automatic stop of a Pod > stops a Pod that does nothing, with the reason in its events, and not one that works',
      'the automatic stop of a Pod > is refused out of its range, and a spend cap where nothing has a price',
      'the automatic stop of a Pod > at a spend cap warns at 80 percent and stops the Pod at the cap, while it works',
    ],
  },
  {
    id: 'Z-25',
    rule: 'What a Pod may use changes while its container runs on, and is the same after each start and each end of the engine',
    file: 'conformance/containers/podLimits',
    tests: [
      'the limits of a Pod > change at once while its container runs on, and stay through a stop and an end of the engine',
      'the limits of a Pod > go: the container may then use all of the machine',
      'the limits of a Pod > above the machine, below what the Pod uses now, and out of range are refused, and nothing changes',
    ],
  },
  {
    id: 'Z-26',
    rule: 'An image that runs as a user of its own writes to the volumes of its Pod',
    file: 'conformance/containers/podLives',
    tests: [
      'the life of a Pod > an image that runs as a user of its own writes to both kinds of volumes, also after a restart of its container',
    ],
  },
] satisfies Rule[];
