/** The JSON editor. Loaded apart from the page, because it is the largest piece of it. */
import { useEffect, useEffectEvent, useRef } from 'react';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { forceLinting, linter, lintGutter, lintKeymap } from '@codemirror/lint';
import { EditorState, Prec, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { editorColours, editorTheme } from '../../../ui/editor/theme.ts';
import { announce } from '../../../ui/primitives/announce.tsx';
import { curlBody } from '../inputs/curlBody.ts';
import { takeFiles } from '../files/inputFiles.ts';
import { movedPlace, placeOfFiles } from '../inputs/fileText.ts';
import { lintRequest } from './lintRequest.ts';
import { isFocusFree, takesPageFocus } from '../../../ui/keyboard/pageFocus.ts';
import { t } from '../../../language/text.ts';

interface JsonEditorProps {
  /** Another document starts a new history. */
  documentKey: string;
  text: string;
  onChange: (text: string) => void;
  /** A number that grows when the editor is to show its first problem. */
  revealProblem: number;
  /** Files that the person picked, to be written at the cursor; null before the first. A new list is written once. */
  picked: readonly File[] | null;
  /** Most bytes of the whole body. */
  limitBytes: number;
}

const LINT_DELAY_MS = 250;

const problems = linter(
  (view) => lintRequest(view.state.doc.toString()).map((problem) => ({ ...problem, severity: 'error' as const })),
  { delay: LINT_DELAY_MS },
);

const fixed: Extension[] = [
  lineNumbers(),
  foldGutter({ openText: '▾', closedText: '▸' }),
  lintGutter(),
  history(),
  drawSelection(),
  bracketMatching(),
  indentOnInput(),
  json(),
  syntaxHighlighting(editorColours),
  problems,
  editorTheme,
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({
    'aria-label': t`Request body, JSON`,
    'aria-multiline': 'true',
    spellcheck: 'false',
    ...takesPageFocus,
  }),
];

export default function JsonEditor({
  documentKey,
  text,
  onChange,
  revealProblem,
  picked,
  limitBytes,
}: JsonEditorProps) {
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const change = useEffectEvent(onChange);
  const firstText = useEffectEvent(() => text);
  const take = useEffectEvent((editor: EditorView, files: readonly File[], at: number) => {
    const before = editor.state.doc.toString();
    const place = placeOfFiles(before, at, ['']);
    void takeFiles({
      draftKey: documentKey,
      files,
      usedBytes: before.length - (place.to - place.from),
      limitBytes,
      writeNow(values) {
        const { doc } = editor.state;
        const change = placeOfFiles(doc.toString(), Math.min(at, doc.length), values);
        editor.dispatch({
          changes: change,
          selection: { anchor: change.from + change.insert.length },
          userEvent: 'input.drop',
        });
        editor.focus();
      },
      writeLater(now, values) {
        const moved = movedPlace(before, now, at);
        if (moved === null) return null;
        const { from, to, insert } = placeOfFiles(now, moved, values);
        return now.slice(0, from) + insert + now.slice(to);
      },
    });
  });

  useEffect(() => {
    if (!parent.current) return undefined;
    /** Files that came by a drop or a paste; false where there are none. */
    const takeFiles = (
      event: Event & { clientX?: number; clientY?: number },
      data: DataTransfer | null,
      to: EditorView,
    ) => {
      const files = [...(data?.files ?? [])];
      if (files.length === 0) return false;
      event.preventDefault();
      const { clientX: x, clientY: y } = event;
      const under = x === undefined || y === undefined ? null : to.posAtCoords({ x, y });
      take(to, files, under ?? to.state.selection.main.head);
      return true;
    };
    const editor = new EditorView({
      parent: parent.current,
      state: EditorState.create({
        doc: firstText(),
        extensions: [
          // The page runs the job; the editor adds no line.
          Prec.highest(keymap.of([{ key: 'Mod-Enter', run: () => true }])),
          // Tab keeps moving the focus: a person with a keyboard must get out of here.
          keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap]),
          fixed,
          EditorView.domEventHandlers({
            paste: (event, editor) => pasteCurl(event, editor) || takeFiles(event, event.clipboardData, editor),
            drop: (event, editor) => takeFiles(event, event.dataTransfer, editor),
          }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) change(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    // The editor takes the focus when the page opens, but not away from another field.
    if (isFocusFree()) editor.focus();
    return () => {
      editor.destroy();
      view.current = null;
    };
  }, [documentKey]);

  // Text that did not come from typing: a policy field, "Use the sample", "Run again".
  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const shown = editor.state.doc.toString();
    if (shown !== text) editor.dispatch({ changes: smallestChange(shown, text) });
  }, [text, documentKey]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || revealProblem === 0) return;
    const [problem] = lintRequest(editor.state.doc.toString());
    forceLinting(editor);
    if (problem) editor.dispatch({ selection: { anchor: problem.from }, scrollIntoView: true });
    editor.focus();
  }, [revealProblem]);

  useEffect(() => {
    const editor = view.current;
    if (editor && picked !== null && picked.length > 0) take(editor, picked, editor.state.selection.main.head);
  }, [picked]);

  return <div ref={parent} style={{ height: '100%', minHeight: 0 }} />;
}

/** A pasted curl command gives its body in place of the whole text; undo brings that back. */
function pasteCurl(event: ClipboardEvent, view: EditorView): boolean {
  const body = curlBody(event.clipboardData?.getData('text/plain') ?? '');
  if (body === null) return false;
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: body }, userEvent: 'input.paste' });
  announce(t`Pasted the body of the curl command`);
  return true;
}

/** One change from the first to the last difference, so that the cursor and the folds stay. */
function smallestChange(before: string, after: string): { from: number; to: number; insert: string } {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  return { from: head, to: before.length - tail, insert: after.slice(head, after.length - tail) };
}
