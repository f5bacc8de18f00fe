/** How many runs ended, on Home as in Metrics, and of which jobs: a job that ran again has one run more. */
import type { Account } from '#contract/app/account.ts';
import type { ShownSums } from '#contract/app/endpointReadModels.ts';

import { lackOf } from '../../client/accounts.ts';
import { t } from '../../language/text.ts';

type Endings = Pick<ShownSums, 'completed' | 'failed' | 'timedOut' | 'cancelled'>;

export const endedRuns = ({ completed, failed, timedOut, cancelled }: Endings): number =>
  completed + failed + timedOut + cancelled;

/**
 * Whether the runs of removed jobs count. A Hangar counts work when it is done; of other accounts, the jobs are counted
 * that this computer has.
 */
export const removedWords = (account: Account): string =>
  lackOf(account, 'local') === null
    ? t`Runs of jobs that you removed from Jobs count, too.`
    : t`Runs of jobs that you removed from Jobs do not count.`;
