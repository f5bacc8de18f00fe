/** How many workers. */
import type { Rule } from '../rule.ts';

export default [
  {
    id: 'K-01',
    rule: 'By QUEUE_DELAY the first job has a worker at once; another one is started when a job has waited scalerValue seconds',
    file: 'conformance/autoscaling/scaling',
    tests: [
      'an endpoint that scales > by QUEUE_DELAY has a worker for its first job at once, and another when one has waited scalerValue seconds',
    ],
  },
  {
    id: 'K-02',
    rule: 'By REQUEST_COUNT there is a worker for every scalerValue jobs that wait or run',
    file: 'conformance/autoscaling/scaling',
    tests: ['an endpoint that scales > by REQUEST_COUNT has a worker for every scalerValue jobs that wait or run'],
  },
  {
    id: 'K-03',
    rule: 'When the template changes, what runs ends on the old worker, and what comes has a new one',
    file: 'conformance/autoscaling/scaling',
    tests: ['a template that changes rolls the workers: what runs ends on the old one, what comes has the new one'],
  },
  {
    id: 'K-04',
    rule: 'Workers that keep dying are unhealthy and told with their last lines; a corrected template is tried at once',
    file: 'conformance/autoscaling/scaling',
    tests: [
      'an endpoint whose workers keep dying is unhealthy and shows their last lines; once corrected it works at once',
    ],
  },
  {
    id: 'K-05',
    rule: 'Jobs whose workers are killed complete all the same, each once',
    file: 'system/workers/twentyWorkers',
    tests: ['twenty workers of which some are killed do 400 jobs: all complete, and none is accepted twice'],
  },
] satisfies Rule[];
