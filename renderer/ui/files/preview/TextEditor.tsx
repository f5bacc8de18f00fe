/** The editor of a text file. Loaded apart from the page, because it is large. */
import { useEffect, useEffectEvent, useRef } from 'react';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, syntaxHighlighting } from '@codemirror/language';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { editorColours, editorTheme } from '../../editor/theme.ts';
import type { FileText } from './readText.ts';
import { t } from '../../../language/text.ts';

interface TextEditorProps {
  name: string;
  /** The text at the beginning; another one needs another `key`. */
  file: FileText;
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
  keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
];

export default function TextEditor({ name, file, onChange }: TextEditorProps) {
  const parent = useRef<HTMLDivElement>(null);
  const change = useEffectEvent(onChange);
  const first = useEffectEvent(() => ({ name, file }));
  useEffect(() => {
    if (!parent.current) return undefined;
    const { file: opened, name: called } = first();
    const isFixed = opened.whyFixed !== null;
    const view = new EditorView({
      parent: parent.current,
      state: EditorState.create({
        doc: opened.text,
        extensions: [
          fixed,
          EditorState.readOnly.of(isFixed),
          /\.(json|ipynb|geojson)$/i.test(called) ? json() : [],
          EditorView.contentAttributes.of({
            'aria-label': t`Text of ${called}`,
            'aria-multiline': 'true',
            spellcheck: 'false',
          }),
          EditorView.updateListener.of((update) => {
            // Its own lines end with \n, whatever is typed or pasted.
            if (update.docChanged) change(update.state.doc.toString().replaceAll('\n', opened.lineEnd));
          }),
        ],
      }),
    });
    view.focus();
    return () => view.destroy();
  }, []);
  return <div ref={parent} style={{ height: '100%' }} />;
}
