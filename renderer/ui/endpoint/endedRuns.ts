/** How many runs ended, on Home as in Metrics: a job that ran again has one run more. */
import type { ShownSums } from '#contract/app/endpointReadModels.ts';

type Endings = Pick<ShownSums, 'completed' | 'failed' | 'timedOut' | 'cancelled'>;

export const endedRuns = ({ completed, failed, timedOut, cancelled }: Endings): number =>
  completed + failed + timedOut + cancelled;
