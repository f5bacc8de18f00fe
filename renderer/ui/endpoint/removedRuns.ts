/** Says whether the numbers of an endpoint count the runs of jobs that a person removed. */
import type { Account } from '#contract/app/account.ts';
import { lackOf } from '../../client/accounts.ts';
import { t } from '../../language/text.ts';

/** A Hangar counts work when it is done. For other accounts, the page counts the jobs that this computer has. */
export const removedWords = (account: Account): string =>
  lackOf(account, 'local') === null
    ? t`Runs of jobs that you removed from Jobs count, too.`
    : t`Runs of jobs that you removed from Jobs do not count.`;
