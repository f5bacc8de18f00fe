/** How an account is called on the page. */
import { THIS_MACHINE } from '#contract/app/account.ts';

/** The machine one sits at has the same name everywhere, whatever its account is called. */
export const accountTitle = (id: string, name: string): string => (id === THIS_MACHINE ? 'This computer' : name);

/** The same, within a sentence. */
export const accountInSentence = (id: string, name: string): string => (id === THIS_MACHINE ? 'this computer' : name);
