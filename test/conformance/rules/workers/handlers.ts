/** Folders of handlers. */
import type { Rule } from '../rule.ts';

export default [
  {
    id: 'F-13',
    rule: 'A folder tells what would run, with which Python, and how its hub.json fills a template and an endpoint',
    file: 'conformance/workers/hubFolders',
    tests: ['a folder tells what would run, and how its hub.json fills a template and an endpoint'],
  },
  {
    id: 'F-14',
    rule: 'A folder is asked about with the Python that is to run its handler',
    file: 'conformance/workers/handlerPython',
    tests: [
      'a handler in Python > in a folder that nobody has added yet is asked about with the Python that a person has in mind',
    ],
  },
  {
    id: 'F-15',
    rule: 'The environment of the folder runs its handler, until HANGAR_PYTHON names another one; both are told',
    file: 'conformance/workers/handlerPython',
    tests: [
      'a handler in Python > runs with the environment of its folder, which the endpoint, its worker and the log name, until another one is chosen',
    ],
  },
  {
    id: 'F-16',
    rule: 'An environment is made from uv.lock, and a failure tells the reason of the installer',
    file: 'conformance/workers/handlerPython',
    tests: [
      'a folder with a uv.lock > has its environment made by uv, with the Python that the project asks for, and what is locked',
      'a folder with a uv.lock > that needs what cannot be had says what uv says of it',
    ],
  },
  {
    id: 'F-17',
    rule: 'Making an environment can be stopped, and nothing of it is left',
    file: 'system/workers/environments',
    tests: [
      'a handler in Python > whose requirements are not installed is told of; an environment is made when a person asks for one, also after a stop, and gets what it lacks later',
    ],
  },
  {
    id: 'F-18',
    rule: 'A check runs the tests of a folder as jobs, one after the other, and tells the result of each',
    file: 'conformance/workers/hubFolders',
    tests: [
      'a check runs each test as a job: those that complete have passed, the others tell why not',
      'a check of an endpoint that cannot run fails with the reason, and one without tests is refused',
    ],
  },
  {
    id: 'F-20',
    rule: 'An endpoint tells which input its folder declares, and its test input, as the files are now',
    file: 'conformance/workers/hubFolders',
    tests: ['an endpoint tells which input its folder declares, and its test input, as the files are now'],
  },
  {
    id: 'F-19',
    rule: 'A check can be stopped: its job is cancelled, and no other test begins',
    file: 'conformance/workers/hubFolders',
    tests: ['a check that is stopped cancels the job of its test, and begins no other'],
  },
  {
    id: 'F-26',
    rule: 'An environment is made from requirements.txt, and a failure tells the reason of the installer',
    file: 'system/workers/environments',
    tests: [
      'a handler in Python > whose requirements are not installed is told of; an environment is made when a person asks for one, also after a stop, and gets what it lacks later',
      'a handler in Python > keeps its Python where its requirements cannot be installed, and the reason is told',
    ],
  },
] satisfies Rule[];
