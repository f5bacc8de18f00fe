/** A person's machine. */
import type { Rule } from '../rule.ts';

export default [
  {
    id: 'N-01',
    rule: 'Work is paused at once or for a time, and resumed',
    file: 'conformance/local/pausing',
    tests: ['a person pauses at once or for a time, and resumes'],
  },
  {
    id: 'N-02',
    rule: 'A pause ends at its time, over restarts and crashes too',
    file: 'conformance/local/pausing',
    tests: ['a pause for a time ends at that time after a restart and after a crash'],
  },
  {
    id: 'N-03',
    rule: 'A job that runs when work is paused goes back to the queue, and nobody is blamed',
    file: 'conformance/local/pausing',
    tests: [
      'while work is paused > at once: a job that runs goes back to the queue and says why it waits, and is done after resuming',
    ],
  },
  {
    id: 'N-04',
    rule: 'Work can be paused after the running jobs',
    file: 'conformance/local/pausing',
    tests: ['while work is paused > after the running jobs: they end, none is begun, and then it is paused'],
  },
  {
    id: 'N-05',
    rule: 'A rule holds at once; resuming overrules it until it has stopped holding',
    file: 'conformance/local/pausing',
    tests: ['a rule holds from the moment it is switched on, and resuming overrules it'],
  },
  {
    id: 'N-06',
    rule: 'What a start does is a setting',
    file: 'conformance/local/pausing',
    tests: ['every engine starts paused where the settings say so, until it is resumed'],
  },
  {
    id: 'N-07',
    rule: 'A job that was running at two crashes is set aside and handed to nobody',
    file: 'conformance/queue/quarantine',
    tests: [
      'a stop as it should be is no crash, however often; a job that runs at two crashes is set aside until it is released',
    ],
  },
  {
    id: 'N-08',
    rule: 'A stop as it should be is no crash',
    file: 'conformance/queue/quarantine',
    tests: [
      'a stop as it should be is no crash, however often; a job that runs at two crashes is set aside until it is released',
    ],
  },
  {
    id: 'N-09',
    rule: 'A job that is set aside can be released, cancelled and purged',
    file: 'conformance/queue/quarantine',
    tests: [
      'a stop as it should be is no crash, however often; a job that runs at two crashes is set aside until it is released',
      'what is set aside can be cancelled and purged',
    ],
  },
  {
    id: 'N-10',
    rule: 'A waiting job is put before another or last, and stays there',
    file: 'conformance/queue/order',
    tests: ['a job is put before another one or last, is handed out there, and stays there over a crash'],
  },
  {
    id: 'N-11',
    rule: 'An endpoint has metrics of the last hour, day, week and month: jobs by their ends, delay, run time, workers, cost',
    file: 'conformance/local/metrics',
    tests: [
      'GET /local/v1/endpoints/{id}/metrics > counts the jobs of a period by their ends, with delay and run time, its workers and their cost',
      'GET /local/v1/endpoints/{id}/metrics > divides every period into equal parts that end now; without one it is the last 24 hours',
      'GET /local/v1/endpoints/{id}/metrics > an unknown endpoint is a 404, an unknown period a 400',
      'GET /local/v1/endpoints/metrics has the same sums for every endpoint',
    ],
  },
  {
    id: 'N-12',
    rule: 'Metrics survive a restart, and a crash but for the last seconds',
    file: 'conformance/local/metrics',
    tests: ['metrics survive a restart, and a crash but for the last seconds; those of a deleted endpoint do not'],
  },
  {
    id: 'N-13',
    rule: 'The feed tells every job with its sender, its input and its end, and over a restart',
    file: 'conformance/local/jobFeed',
    tests: ['every job is told with who sent it, its request and its result, also after a restart'],
  },
  {
    id: 'N-14',
    rule: 'An image is pulled on request, with progress and the reason of a failure, and the pull can be cancelled',
    file: 'conformance/containers/imagePulls',
    tests: [
      'pulls of images > an image is pulled with the credentials that are named, and a pull that fails says why',
      'pulls of images > a pull goes on without its caller, is told with its progress, and ends when it is cancelled',
      'pulls of images > a pull that is asked for right after it was cancelled starts anew, and its changes are sent as they come',
      'pulls of images > a pull ends with the engine, and with the container engine for a reason that is told',
      'pulls of images > a pull for which there is no room says so',
    ],
  },
  {
    id: 'N-15',
    rule: 'What takes how much of the disk is measured on request, with what the removal of unused images frees',
    file: 'conformance/containers/diskUsage',
    tests: [
      'the use of the disk > images, the layers of containers and volumes are measured, and what the removal of unused images frees',
      'the use of the disk > without a container engine the data folder is measured, and the reason is told',
    ],
  },
  {
    id: 'N-16',
    rule: 'Whoever follows the changes reads each state of endpoints, resources, keys, settings and the pause soon, without other questions',
    file: 'conformance/local/changes',
    tests: [
      'an endpoint is told from its making to its end, with its jobs and its workers, and no other one is',
      'a pause is told, and so is its end',
      'templates, volumes and credentials are told, with what uses them, and so are API keys and settings',
      "a handler's folder that is deleted is told, though no request did that",
      'many changes of one endpoint are few events',
    ],
  },
  {
    id: 'N-17',
    rule: 'The files on the disk of a running container are listed, read in ranges, written, moved and deleted, whatever their names are',
    file: 'conformance/containers/podFiles',
    tests: [
      'the files in the container of a Pod > are listed with their sizes, times and links, whatever their names are',
      'the files in the container of a Pod > are written whole or not at all, and read in ranges',
      'the files in the container of a Pod > are moved and deleted, but no folder with a volume in it',
      'the files in the container of a Pod > are as many in a list as the limit says, and the list says that there are more',
      'the files in the container of a Pod > need a container that runs and an image with a shell, and the refusal says so',
    ],
  },
  {
    id: 'N-18',
    rule: 'The load of the computer and of its workers is sent to whoever follows it, at the interval that the reader names',
    file: 'conformance/local/samples',
    tests: [
      'the computer and its workers are sent at once, and again after each interval',
      'each reader has an interval of its own, and a wrong one is refused',
    ],
  },
  {
    id: 'N-19',
    rule: 'The load of Pods that run is sent to whoever follows it, at the interval that the reader names',
    file: 'conformance/containers/podLives',
    tests: [
      'the life of a Pod > whoever follows Pods is sent the load of each one that runs, and no longer of one that is deleted',
    ],
  },
] satisfies Rule[];
