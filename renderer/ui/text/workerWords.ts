/** The workers of a target in words: "2 workers idle, 1 running". */
import { formatCount } from './format.ts';
import { counted, t } from '../../language/text.ts';

type Count = 'initializing' | 'idle' | 'running';

const order: readonly Count[] = ['initializing', 'idle', 'running'];

/** The first count names what is counted. */
const firstWords = (of: Count, count: number): string => {
  const shown = formatCount(count);
  switch (of) {
    case 'initializing':
      return counted(count, '{0} worker starting', '{0} workers starting', shown);
    case 'idle':
      return counted(count, '{0} worker idle', '{0} workers idle', shown);
    case 'running':
      return counted(count, '{0} worker running', '{0} workers running', shown);
  }
};

const moreWords: Record<Count, (count: string) => string> = {
  initializing: (count) => t`${count} starting`,
  idle: (count) => t`${count} idle`,
  running: (count) => t`${count} running`,
};

/**
 * The workers in words, by state. States without a worker are left out. `runningJobs`: jobs that run now. The counts may
 * be older, and a service may leave out a worker that stops after its job. So where no worker runs, those that are idle
 * have the jobs. Without any worker, the jobs are counted.
 */
export function workerWords(known: Readonly<Record<Count, number>>, runningJobs: number): string {
  const taken = known.running > 0 ? 0 : Math.min(known.idle, runningJobs);
  const counts = { ...known, idle: known.idle - taken, running: known.running + taken };
  const present = order.filter((of) => counts[of] > 0);
  if (present.length === 0) {
    return runningJobs > 0
      ? counted(runningJobs, '{0} job running', '{0} jobs running', formatCount(runningJobs))
      : t`no worker`;
  }
  return present
    .map((of, index) => (index === 0 ? firstWords(of, counts[of]) : moreWords[of](formatCount(counts[of]))))
    .join(', ');
}
