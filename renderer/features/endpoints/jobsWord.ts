/** Counts of jobs and workers as a person says them. */
import { formatCount } from '../../ui/text/format.ts';

export const jobsWord = (count: number): string => `${formatCount(count)} ${count === 1 ? 'job' : 'jobs'}`;
export const workersWord = (count: number): string => `${formatCount(count)} ${count === 1 ? 'worker' : 'workers'}`;
