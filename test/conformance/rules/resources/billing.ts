/** Usage and billing. */
import type { Rule } from '../rule.ts';

export default [
  {
    id: 'D-01',
    rule: 'The time of workers is billed while they run, by the prices of the settings; told by buckets of time, groups and filters',
    file: 'conformance/rest/billing',
    tests: ['the time of workers > is billed while they run, by the price of a core, and by their endpoint'],
  },
  {
    id: 'D-02',
    rule: 'It ends with the worker, and outlives its endpoint',
    file: 'conformance/rest/billing',
    tests: ['the time of workers > ends with them, and what their endpoint has used is still told once it is deleted'],
  },
  {
    id: 'D-03',
    rule: 'What was used keeps the price of its time',
    file: 'conformance/rest/billing',
    tests: ['the time of workers > keeps the price it had when it passed'],
  },
  {
    id: 'D-04',
    rule: 'A crash loses the last minute at most, and nothing is counted twice',
    file: 'conformance/rest/billing',
    tests: ['the time of workers > survives a crash of the engine but for the last minute, and is never counted twice'],
  },
  {
    id: 'D-05',
    rule: 'Network volumes are billed by the GB and the hour',
    file: 'conformance/rest/billing',
    tests: ['network volumes are billed by the GB and the hour while they are there, in each size they had'],
  },
  {
    id: 'D-06',
    rule: 'What is wrong with a query is a 400 that names the field',
    file: 'conformance/rest/billing',
    tests: ['%s is a 400 that names the field'],
  },
  {
    id: 'D-07',
    rule: 'Reading billing history takes a key',
    file: 'conformance/rest/billing',
    tests: ['billing history takes a key'],
  },
  {
    id: 'D-08',
    rule: 'A Pod is billed while its container runs, and for its volume as long as that is kept',
    file: 'conformance/containers/podBilling',
    tests: ['a Pod > is billed for its cores while its container runs, and for its volume as long as that is kept'],
  },
  {
    id: 'D-09',
    rule: 'The time in which a Pod runs on without an engine is billed as well, once',
    file: 'conformance/containers/podBilling',
    tests: ['a Pod > that runs on while its engine is killed is billed for that time as well, once'],
  },
  {
    id: 'D-10',
    rule: 'A GPU without a price of its own costs its electricity, as it was measured in use',
    file: 'conformance/rest/billing',
    tests: ['a GPU costs the electricity that was measured while it was used, until its type is given a price'],
  },
  {
    id: 'D-11',
    rule: 'Network volumes are told one by one where that is asked for',
    file: 'conformance/rest/billing',
    tests: ['network volumes are told one by one where that is asked for, else all together'],
  },
] satisfies Rule[];
