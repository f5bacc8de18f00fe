/** The title of a page that is about the target. */
import { THIS_MACHINE } from '#contract/app/account.ts';
import { t } from '../../language/text.ts';

/** The page of the machine is about the target. `title`: that of the page while this computer is the target. */
export const titleForTarget = (route: string, title: string, accountId: string): string =>
  route === 'machine' && accountId !== THIS_MACHINE ? t`Machine` : title;
