/** The editor of a request body. Loaded apart from the page, because it is the largest piece of it. */
import { useEffect, useEffectEvent, useRef } from 'react';
import type { EditorView } from '@codemirror/view';
import { indentLine } from '../../../ui/job/jsonText.ts';
import { announce } from '../../../ui/primitives/announce.tsx';
import { curlBody } from '../inputs/curlBody.ts';
import { takeFiles } from '../files/inputFiles.ts';
import { movedPlace, placeOfFiles } from '../inputs/fileText.ts';
import { JsonEditor, type JsonEditorKind } from './JsonEditor.tsx';
import { lintRequest } from './lintRequest.ts';
import { t } from '../../../language/text.ts';

interface RequestEditorProps {
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

const request: JsonEditorKind = { label: t`Request body, JSON`, lint: lintRequest, isFirst: true };

export default function RequestEditor({ picked, limitBytes, ...editor }: RequestEditorProps) {
  const { documentKey } = editor;
  const view = useRef<EditorView>(null);
  const take = (editor: EditorView, files: readonly File[], at: number) => {
    const before = editor.state.doc.toString();
    const place = placeOfFiles(before, at, ['']);
    void takeFiles({
      draftKey: documentKey,
      files,
      usedBytes: before.length - (place === null ? 0 : place.to - place.from),
      limitBytes,
      writeNow(values) {
        const { doc } = editor.state;
        const change = placeOfFiles(doc.toString(), Math.min(at, doc.length), values);
        if (change === null) return false;
        editor.dispatch({
          changes: change,
          selection: { anchor: change.from + change.insert.length },
          userEvent: 'input.drop',
        });
        editor.focus();
        return true;
      },
      writeLater(now, values) {
        const moved = movedPlace(before, now, at);
        if (moved === null) return null;
        const place = placeOfFiles(now, moved, values);
        if (place === null) return null;
        const { from, to, insert } = place;
        return now.slice(0, from) + insert + now.slice(to);
      },
    });
  };

  /** Files that came by a drop or a paste; false where there are none. */
  const takeFilesOf = (
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
  const takePicked = useEffectEvent((files: readonly File[]) => {
    const now = view.current;
    if (now) take(now, files, now.state.selection.main.head);
  });

  useEffect(() => {
    if (picked !== null && picked.length > 0) takePicked(picked);
  }, [picked]);

  return (
    <JsonEditor
      {...editor}
      kind={request}
      onPaste={(event, to) => pasteCurl(event, to) || takeFilesOf(event, event.clipboardData, to)}
      onDrop={(event, to) => takeFilesOf(event, event.dataTransfer, to)}
      onView={(next) => {
        view.current = next;
      }}
    />
  );
}

/** A pasted curl command gives its body in place of the whole text; undo brings that back. */
function pasteCurl(event: ClipboardEvent, view: EditorView): boolean {
  const body = curlBody(event.clipboardData?.getData('text/plain') ?? '');
  if (body === null) return false;
  view.dispatch({
    changes: { from: 0, to: view.state.doc.length, insert: indentLine(body) },
    userEvent: 'input.paste',
  });
  announce(t`Pasted the body of the curl command`);
  return true;
}
