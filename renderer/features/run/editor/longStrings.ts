/** Folds strings that nobody reads, such as a picture as base64, to their beginning and their size. A click unfolds them. */
import { codeFolding, foldEffect } from '@codemirror/language';
import { EditorState, type Extension, type StateEffect } from '@codemirror/state';
import { formatBytes } from '../../../ui/text/format.ts';
import { t } from '../../../language/text.ts';

/** A text of a person may fill a page, and stays whole. */
const LEAST_CHARS = 4096;
const SHOWN_CHARS = 24;
const STRINGS = /"(?:[^"\\]|\\.)*"/g;

/** What folds the long strings of a text. `at`: where the text begins in its document. */
export const foldsOf = (text: string, at = 0): StateEffect<unknown>[] =>
  text.length < LEAST_CHARS
    ? []
    : Array.from(text.matchAll(STRINGS)).flatMap(({ 0: quoted, index }) => {
        const from = at + index + 1 + SHOWN_CHARS;
        const to = at + index + quoted.length - 1;
        // Words have spaces.
        const isRead = quoted.length < LEAST_CHARS || /\s/.test(quoted.slice(0, LEAST_CHARS));
        return isRead ? [] : [foldEffect.of({ from, to })];
      });

/** Folds what a change brings at once: a file, a saved input, the text of another tab. What is typed stays as it is. */
export const longStrings: Extension = [
  codeFolding({
    preparePlaceholder: (state, { from, to }) =>
      state.doc.lineAt(from).to >= to ? `… ${formatBytes(to - from)}` : '…',
    placeholderDOM(_view, onClick, words) {
      const chip = document.createElement('span');
      chip.className = 'cm-foldPlaceholder';
      chip.textContent = String(words);
      chip.title = t`Show the whole text`;
      chip.addEventListener('click', onClick);
      return chip;
    },
  }),
  EditorState.transactionExtender.of((transaction) => {
    const effects: StateEffect<unknown>[] = [];
    transaction.changes.iterChanges((_fromA, _toA, from, _to, inserted) => {
      effects.push(...foldsOf(inserted.toString(), from));
    });
    return effects.length > 0 ? { effects } : null;
  }),
];
