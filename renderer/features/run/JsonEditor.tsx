/** The JSON editor. Loaded apart from the page, because it is the largest piece of it. */
import { useEffect, useEffectEvent, useRef } from 'react';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { forceLinting, linter, lintGutter, lintKeymap } from '@codemirror/lint';
import { EditorState, Prec, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { lintRequest } from './lintRequest.ts';

interface JsonEditorProps {
  /** Another document starts a new history. */
  documentKey: string;
  text: string;
  onChange: (text: string) => void;
  onRun: () => void;
  /** Grows when the editor shall show its first problem. */
  revealProblem: number;
}

const LINT_DELAY_MS = 250;

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--ok)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--wait)' },
]);

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '12px', background: 'var(--code)', color: 'var(--ink)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6', padding: '10px 0' },
  '.cm-content': { padding: '0', caretColor: 'var(--accent)' },
  '.cm-line': { padding: '0 14px 0 6px' },
  '.cm-gutters': { background: 'transparent', border: 'none', color: 'var(--ink-3)' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 4px 0 8px', minWidth: '24px' },
  '.cm-gutter-lint': { width: '10px' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '0' },
  '.cm-lint-marker': { width: '8px', height: '8px', margin: '5px 0 0 2px', borderRadius: '50%' },
  '.cm-lint-marker-error': { content: 'none', background: 'var(--bad)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--bad)',
    textUnderlineOffset: '3px',
  },
  '.cm-cursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--accent) 22%, transparent)',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { background: 'var(--selected)', color: 'inherit' },
  '.cm-foldPlaceholder': { background: 'var(--off-soft)', border: 'none', color: 'var(--off)', padding: '0 5px' },
  '.cm-tooltip': {
    background: 'var(--raise)',
    color: 'var(--ink)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius)',
    boxShadow: 'var(--shadow)',
    font: 'var(--text)/1.45 var(--font)',
    maxWidth: '420px',
    overflow: 'hidden',
  },
  '.cm-diagnostic': { padding: '6px 10px', borderLeft: '3px solid var(--bad)' },
  '.cm-panels': { background: 'var(--panel)', color: 'var(--ink)', border: 'none' },
});

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
  syntaxHighlighting(colours),
  problems,
  look,
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({
    'aria-label': 'Request body, JSON',
    'aria-multiline': 'true',
    spellcheck: 'false',
  }),
];

export default function JsonEditor({ documentKey, text, onChange, onRun, revealProblem }: JsonEditorProps) {
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const change = useEffectEvent(onChange);
  const run = useEffectEvent(onRun);
  const firstText = useEffectEvent(() => text);

  useEffect(() => {
    if (!parent.current) return undefined;
    const editor = new EditorView({
      parent: parent.current,
      state: EditorState.create({
        doc: firstText(),
        extensions: [
          Prec.highest(
            keymap.of([
              {
                key: 'Mod-Enter',
                run: () => {
                  run();
                  return true;
                },
              },
            ]),
          ),
          // Tab keeps moving the focus: a person with a keyboard must get out of here.
          keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap]),
          fixed,
          EditorView.updateListener.of((update) => {
            if (update.docChanged) change(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
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
