/** Names of accounts on the page. */
import { THIS_MACHINE } from '#contract/app/account.ts';
import { t } from '../../language/text.ts';

/** This machine has the same name everywhere, whatever the name of its account is. */
export const accountTitle = (id: string, name: string): string => (id === THIS_MACHINE ? t`This computer` : name);

/** The same name in the middle of a sentence. */
export const accountInSentence = (id: string, name: string): string => (id === THIS_MACHINE ? t`this computer` : name);
