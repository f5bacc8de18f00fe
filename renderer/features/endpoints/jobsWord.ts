/** Counts of jobs and workers as a person says them. */
import { formatCount } from '../../ui/text/format.ts';
import { counted } from '../../language/text.ts';

export const jobsWord = (count: number): string => counted(count, '{0} job', '{0} jobs', formatCount(count));
export const workersWord = (count: number): string => counted(count, '{0} worker', '{0} workers', formatCount(count));
