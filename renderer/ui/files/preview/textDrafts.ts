/**
 * Texts of files that were typed and are not saved. They are here from the moment of typing on, before the page draws
 * them, and stay when the window of their file goes without a question, such as by another page.
 */
import type { Place } from '../../../client/files/transfers.ts';
import { createFormDrafts } from '../../form/formDrafts.ts';
import type { FileText } from './readText.ts';

/** By `keyOf` of the file: what the file has, as far as is known, and what was typed. */
export const textDrafts = createFormDrafts<FileText>();

export const keyOf = ({ accountId, holder, path }: Place): string =>
  JSON.stringify([accountId, holder.in, holder.id, path]);

/** The browser, or the desktop program, asks before it closes or reloads a page with such a text. */
window.addEventListener('beforeunload', (event) => {
  if (!textDrafts.isEmpty()) event.preventDefault();
});
