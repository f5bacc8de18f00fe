/** Puts another text in the place of a draft. The text that a person had written comes back by Undo. */
import { draftText, setDraft } from '../../state/drafts.ts';
import { lineJson } from '../job/jsonText.ts';
import { announce } from '../primitives/announce.tsx';
import { offerUndo } from './offerUndo.tsx';

interface Replacement {
  text: string;
  /** What was done to a text that is lost, as a sentence without its end. */
  replaced: string;
  /** Announced where no text is lost; nothing by default. */
  taken?: string;
}

export function replaceDraft(key: string, { text, replaced, taken }: Replacement): void {
  const before = draftText.get(key);
  setDraft(key, text);
  // Another layout of the same input is no loss.
  if (before !== null && lineJson(before) !== lineJson(text)) offerUndo(replaced, () => setDraft(key, before));
  else if (taken !== undefined) announce(taken);
}
