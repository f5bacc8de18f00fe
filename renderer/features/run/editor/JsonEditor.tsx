/** An editor of a JSON text that marks its problems. */
import { useEffect, useEffectEvent, useRef } from 'react';
import { defaultKeymap, history, historyField, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { forceLinting, linter, lintGutter, lintKeymap } from '@codemirror/lint';
import { Annotation, EditorState, Prec, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers, placeholder } from '@codemirror/view';
import { editorColours, editorTheme } from '../../../ui/editor/theme.ts';
import { isFocusFree, takesPageFocus } from '../../../ui/keyboard/pageFocus.ts';
import { foldsOf, longStrings } from './longStrings.ts';
import type { Problem } from './lintRequest.ts';

/** What an editor is for; it stays the same while the editor is on screen. */
export interface JsonEditorKind {
  label: string;
  /** Stands in the empty editor. */
  hint?: string;
  /** The problems of a text, in its order. */
  lint: (text: string) => Problem[];
  /** Whether it takes the focus when the page opens. */
  isFirst: boolean;
}

interface JsonEditorProps {
  kind: JsonEditorKind;
  /** Another document starts a new history. */
  documentKey: string;
  text: string;
  onChange: (text: string) => void;
  /** A number that grows when the editor is to show its first problem. */
  revealProblem?: number;
  /** Takes what is pasted or dropped; false leaves it to the editor. */
  onPaste?: (event: ClipboardEvent, view: EditorView) => boolean;
  onDrop?: (event: DragEvent, view: EditorView) => boolean;
  /** Called with the view of each document, and with null once it is gone. */
  onView?: (view: EditorView | null) => void;
}

const LINT_DELAY_MS = 250;

/** Marks a change that did not come from the person at the editor. */
const fromOutside = Annotation.define<true>();

const fixed: Extension[] = [
  lineNumbers(),
  longStrings,
  foldGutter({ openText: '▾', closedText: '▸' }),
  lintGutter(),
  history(),
  drawSelection(),
  bracketMatching(),
  indentOnInput(),
  json(),
  syntaxHighlighting(editorColours),
  editorTheme,
  EditorView.lineWrapping,
];

const ofKind = ({ label, hint, lint, isFirst }: JsonEditorKind): Extension[] => [
  linter((view) => lint(view.state.doc.toString()).map((problem) => ({ ...problem, severity: 'error' as const })), {
    delay: LINT_DELAY_MS,
  }),
  EditorView.contentAttributes.of({
    'aria-label': label,
    'aria-multiline': 'true',
    spellcheck: 'false',
    // The focus is there anyhow; checkers of accessibility know it by this alone, where the text is scrolled.
    tabindex: '0',
    ...(isFirst && takesPageFocus),
  }),
  hint === undefined ? [] : placeholder(hint),
];

const leave = (): boolean => false;

/** The editors that were left last, with what a person did in them: undo goes on after a look at another tab. */
const left = new Map<string, unknown>();
/** One editor of an input, and one of its schema. */
const MOST_LEFT = 2;
const withHistory = { history: historyField };

function beginState(documentKey: string, doc: string, extensions: Extension[]): EditorState {
  const state = left.get(documentKey);
  return state === undefined
    ? EditorState.create({ doc, extensions })
    : EditorState.fromJSON(state, { extensions }, withHistory);
}

function leaveState(documentKey: string, state: EditorState): void {
  left.delete(documentKey);
  left.set(documentKey, state.toJSON(withHistory));
  for (const oldest of left.keys()) if (left.size > MOST_LEFT) left.delete(oldest);
}

export function JsonEditor({
  kind,
  documentKey,
  text,
  onChange,
  revealProblem = 0,
  onPaste = leave,
  onDrop = leave,
  onView,
}: JsonEditorProps) {
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const { lint, isFirst } = kind;
  const change = useEffectEvent(onChange);
  const reportView = useEffectEvent((editor: EditorView | null) => onView?.(editor));
  const first = useEffectEvent(() => ({ doc: text, ofThisKind: ofKind(kind) }));
  const paste = useEffectEvent(onPaste);
  const drop = useEffectEvent(onDrop);

  useEffect(() => {
    if (!parent.current) return undefined;
    const { doc, ofThisKind } = first();
    const editor = new EditorView({
      parent: parent.current,
      state: beginState(documentKey, doc, [
        // The page runs the job; the editor adds no line.
        Prec.highest(keymap.of([{ key: 'Mod-Enter', run: () => true }])),
        // Tab keeps moving the focus: a person with a keyboard must get out of here.
        keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap]),
        fixed,
        ofThisKind,
        EditorView.domEventHandlers({
          paste: (event, to) => paste(event, to),
          drop: (event, to) => drop(event, to),
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !update.transactions.some((one) => one.annotation(fromOutside))) {
            change(update.state.doc.toString());
          }
        }),
      ]),
    });
    view.current = editor;
    editor.dispatch({ effects: foldsOf(editor.state.doc.toString()) });
    reportView(editor);
    // It takes the focus when the page opens, but not away from another field.
    if (isFirst && isFocusFree()) editor.focus();
    return () => {
      leaveState(documentKey, editor.state);
      editor.destroy();
      view.current = null;
      reportView(null);
    };
  }, [documentKey, isFirst]);

  // Text that did not come from typing: a policy field, a saved input, "Run again".
  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const shown = editor.state.doc.toString();
    if (shown !== text) {
      editor.dispatch({ changes: smallestChange(shown, text), annotations: fromOutside.of(true) });
    }
  }, [text, documentKey]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || revealProblem === 0) return;
    const [problem] = lint(editor.state.doc.toString());
    forceLinting(editor);
    if (problem) editor.dispatch({ selection: { anchor: problem.from }, scrollIntoView: true });
    editor.focus();
  }, [revealProblem, lint]);

  return <div ref={parent} style={{ height: '100%', minHeight: 0 }} />;
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
