/** The editor of a text file. Loaded apart from the page, because it is large. */
import { useEffect, useEffectEvent, useRef } from 'react';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { languageOfFile } from '../../code/codeLanguages.ts';
import { loadParser } from '../../code/codeTokens.ts';
import { editorSearch } from '../../editor/search.ts';
import { editorColours, editorTheme } from '../../editor/theme.ts';
import type { FileText } from './readText.ts';
import { t } from '../../../language/text.ts';

interface TextEditorProps {
  name: string;
  /** The text at the beginning; another one needs another `key`. */
  file: FileText;
  /** The line that the cursor begins at, from 1 on; null for the first one. */
  line: number | null;
  onChange: (text: string) => void;
}

const fixed: Extension[] = [
  lineNumbers(),
  history(),
  drawSelection(),
  bracketMatching(),
  syntaxHighlighting(editorColours),
  editorTheme,
  EditorView.lineWrapping,
  highlightActiveLine(),
  highlightActiveLineGutter(),
  keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
];

/** The language of a file by its name, with its colours; nothing for an unknown one. */
async function loadLanguage(name: string): Promise<Extension> {
  const language = languageOfFile(name);
  if (language === null) return [];
  return language === 'JSON' ? json() : StreamLanguage.define(await loadParser(language));
}

/** Puts the cursor at the beginning of a line, in the middle of the view. A file may have become shorter. */
function showLine(view: EditorView, line: number): void {
  const { from } = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
  view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
}

export default function TextEditor({ name, file, line, onChange }: TextEditorProps) {
  const parent = useRef<HTMLDivElement>(null);
  const change = useEffectEvent(onChange);
  const first = useEffectEvent(() => ({ name, file, line }));
  useEffect(() => {
    if (!parent.current) return undefined;
    const { file: opened, name: called, line: start } = first();
    const isFixed = opened.whyFixed !== null;
    const language = new Compartment();
    let isOpen = true;
    const view = new EditorView({
      parent: parent.current,
      state: EditorState.create({
        doc: opened.text,
        extensions: [
          editorSearch(),
          fixed,
          EditorState.readOnly.of(isFixed),
          language.of([]),
          EditorView.contentAttributes.of({
            'aria-label': t`Text of ${called}`,
            'aria-multiline': 'true',
            spellcheck: 'false',
            // The focus is there anyhow; checkers of accessibility know it by this alone, where the text is scrolled.
            tabindex: '0',
          }),
          EditorView.updateListener.of((update) => {
            // Its own lines end with \n, whatever is typed or pasted.
            if (update.docChanged) change(update.state.doc.toString().replaceAll('\n', opened.lineEnd));
          }),
        ],
      }),
    });
    view.focus();
    if (start !== null) showLine(view, start);
    loadLanguage(called).then(
      (loaded) => isOpen && view.dispatch({ effects: language.reconfigure(loaded) }),
      // The text stays without colours.
      () => undefined,
    );
    return () => {
      isOpen = false;
      view.destroy();
    };
  }, []);
  return <div ref={parent} style={{ height: '100%' }} />;
}
