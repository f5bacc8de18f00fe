/** GPUs. */
import type { Rule } from '../rule.ts';

export default [
  {
    id: 'M-01',
    rule: "A GPU's type is its product name",
    file: 'conformance/local/machine',
    tests: [
      'a machine with one GPU > lists it with its product name as the type, its load, and the programs that use it',
    ],
  },
  {
    id: 'M-02',
    rule: 'A GPU is held by one worker, which is told of it and sees no other',
    file: 'conformance/local/machine',
    tests: [
      'a machine with one GPU > gives it to one worker at a time, which sees it and no other, and tells who has it; a worker on the CPU sees none',
    ],
  },
  {
    id: 'M-03',
    rule: 'A GPU that is switched off is taken back and given to nobody',
    file: 'conformance/local/machine',
    tests: [
      'a machine with one GPU > takes it back from its worker at once when it is switched off, gives it to nobody, and gives it again when it is switched on',
    ],
  },
  {
    id: 'M-04',
    rule: 'A GPU that the person shares is given to several workers',
    file: 'conformance/local/machine',
    tests: ['a machine with one GPU > gives it to several workers where the person shares it'],
  },
  {
    id: 'M-05',
    rule: 'Without a GPU everything runs on the CPU, and the machine says so',
    file: 'conformance/local/machine',
    tests: ['a machine without a GPU > says that everything runs on the CPU, and runs it there'],
  },
  {
    id: 'M-06',
    rule: 'An endpoint that names GPUs runs on the CPU where the machine has none, and says so',
    file: 'conformance/local/machine',
    tests: [
      'a machine without a GPU > runs an endpoint that names GPUs on the CPU, and says so of the endpoint and in the log of its worker',
    ],
  },
  {
    id: 'M-07',
    rule: 'What a worker and all it started use of processor and memory is told',
    file: 'conformance/local/machine',
    tests: ['a machine without a GPU > measures what each worker uses, with all that it started'],
  },
  {
    id: 'M-08',
    rule: 'An endpoint that wants a GPU which the machine lacks is told so to clients of the cloud',
    file: 'conformance/local/machine',
    tests: [
      'a machine with one GPU > tells clients of the cloud of an endpoint that wants another one: throttled, and why its jobs wait',
    ],
  },
] satisfies Rule[];
