import { foldedRanges } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { expect, it } from 'vitest';
import { foldsOf, longStrings } from './longStrings.ts';

const picture = 'iVBORw0KGgo'.repeat(1000);

function foldedIn(state: EditorState): string[] {
  const texts: string[] = [];
  foldedRanges(state).between(0, state.doc.length, (from, to) => {
    texts.push(state.sliceDoc(0, from).slice(-40), state.sliceDoc(to));
  });
  return texts;
}

it('a picture in a text is folded behind its beginning, at the start and where it is put in', () => {
  const doc = `{"input": {"picture": "${picture}", "note": ""}}`;
  const first = EditorState.create({ doc, extensions: longStrings });
  const opened = first.update({ effects: foldsOf(doc) }).state;
  expect(foldedIn(opened)).toEqual([`nput": {"picture": "${picture.slice(0, 24)}`.slice(-40), '", "note": ""}}']);

  const empty = EditorState.create({ doc: '{"picture": ""}', extensions: longStrings });
  const filled = empty.update({ changes: { from: 12, to: 14, insert: JSON.stringify(picture) } }).state;
  expect(foldedIn(filled).at(-1)).toBe('"}');
  expect(filled.doc.length).toBe(picture.length + 15);
});

it.each([
  ['short', picture.slice(0, 1000)],
  ['written by a person', 'four cats playing poker '.repeat(300)],
])('a text that is %s stays whole', (_, text) => {
  const empty = EditorState.create({ doc: '', extensions: longStrings });
  expect(foldedIn(empty.update({ changes: { from: 0, insert: JSON.stringify({ text }) } }).state)).toEqual([]);
});
