/** A text file to read and to change; Markdown and CSV also as a reader sees them. */
import { useState } from 'react';
import { Button, Skeleton } from '@mantine/core';
import { getHotkeyHandler } from '@mantine/hooks';
import { Play } from 'lucide-react';
import { ConfirmDialog } from '../../primitives/ConfirmDialog.tsx';
import { lazyPart } from '../../primitives/lazyPart.ts';
import { Notice } from '../../primitives/Notice.tsx';
import type { FileText } from './readText.ts';
import { textDrafts } from './textDrafts.ts';
import { RenderedText, type Rendering } from './RenderedText.tsx';
import { useFileText, type OpenFileText, type TextFileIo } from './useFileText.ts';
import styles from './preview.module.css';
import { ReasonButton } from '../../popover/ReasonButton.tsx';
import { t } from '../../../language/text.ts';

const TextEditor = lazyPart(() => import('./TextEditor.tsx'), <Skeleton h={60} radius={6} />);

interface TextFileProps {
  name: string;
  file: FileText;
  /** How it is shown; absent for its text as it is. */
  rendering?: Rendering | null;
  /** Shows the text itself in place of `rendering`. */
  onEdit: () => void;
  /** The key of its draft in `textDrafts`. */
  draftKey: string;
  /** When the file was changed, as its folder lists it now. */
  changedAt: string;
  io: TextFileIo;
  /** The line that the editor begins at, from 1 on; null for the first one. */
  line: number | null;
  /** Runs what the file belongs to, once it is saved; null for files of no endpoint. */
  onRun: (() => void) | null;
  /** The question before a close with text that is not saved; null while it is not asked. */
  closing: { onStay: () => void; onClose: () => void } | null;
}

export function TextFile(props: TextFileProps) {
  const { name, file, rendering = null, onEdit, draftKey, changedAt, io, line, onRun, closing } = props;
  const open = useFileText(file, draftKey, changedAt, io);
  const { opened, version, isChanged, isSaving, problem } = open;
  // Once made, the editor stays with what was typed into it.
  const [isEditorMade, setEditorMade] = useState(rendering === null);
  if (rendering === null && !isEditorMade) setEditorMade(true);
  return (
    <div
      className={styles.text}
      onKeyDown={getHotkeyHandler([['mod+S', () => open.save(false), { preventDefault: true }]])}
    >
      {open.conflict !== null && <Conflict open={open} />}
      {problem !== null && (
        <Notice tone="bad" title={t`Not saved.`}>
          {problem}
        </Notice>
      )}
      {rendering !== null && <RenderedText rendering={rendering} text={open.text} isCut={opened.isCut} />}
      {isEditorMade && (
        <div className={styles.editor} hidden={rendering !== null}>
          <TextEditor key={version} name={name} file={opened} line={line} onChange={open.onChange} />
        </div>
      )}
      <div className={styles.foot}>
        <span>{opened.whyFixed ?? stateWords(open)}</span>
        {opened.whyFixed === null && rendering !== null && (
          <Button size="xs" variant="default" onClick={onEdit}>{t`Edit`}</Button>
        )}
        {opened.whyFixed === null && (rendering === null || isChanged) && (
          <ReasonButton
            size="xs"
            whyNot={isChanged ? null : t`Nothing has changed.`}
            loading={isSaving}
            onClick={() => open.save(false)}
          >{t`Save`}</ReasonButton>
        )}
        {onRun !== null && (
          <ReasonButton
            size="xs"
            variant="default"
            leftSection={<Play size={11} fill="currentColor" aria-hidden />}
            whyNot={isSaving ? t`The file is being saved.` : null}
            onClick={() => open.save(false, onRun)}
          >
            {isChanged ? t`Save and run` : t`Run`}
          </ReasonButton>
        )}
      </div>
      <ConfirmDialog
        opened={closing !== null && isChanged}
        onClose={() => closing?.onStay()}
        title={t`Close ${name} without saving?`}
        action={t`Discard the changes`}
        other={{
          label: t`Save`,
          onChoose() {
            closing?.onStay();
            open.save(false, closing?.onClose);
          },
        }}
        busy={false}
        problem={null}
        onConfirm={() => {
          textDrafts.set(draftKey, null);
          closing?.onClose();
        }}
      >
        <p>{t`Without saving, your changes are lost.`}</p>
      </ConfirmDialog>
    </div>
  );
}

function stateWords({ isChanged, wasReread, wasSaved }: OpenFileText): string | null {
  if (isChanged) return t`Not saved yet`;
  if (wasReread) return t`Another program changed the file. This is its new text.`;
  return wasSaved ? t`Saved` : null;
}

function Conflict({ open: { conflict, isSaving, save, takeTheirs, goOn } }: { open: OpenFileText }) {
  const hasTheirs = conflict?.theirs !== null;
  return (
    <Notice
      tone="wait"
      title={hasTheirs ? t`The file was changed while you had it open.` : t`The file no longer exists as text.`}
      action={
        <span className={styles.choices}>
          <Button size="xs" variant="default" loading={isSaving} onClick={() => save(true)}>
            {hasTheirs ? t`Save mine over it` : t`Save mine anyway`}
          </Button>
          {hasTheirs && <Button size="xs" variant="default" onClick={takeTheirs}>{t`Open theirs`}</Button>}
          <Button size="xs" variant="subtle" onClick={goOn}>{t`Continue editing`}</Button>
        </span>
      }
    >
      {hasTheirs ? t`Your text is not saved. "Open theirs" discards your changes.` : t`Your text is not saved.`}
    </Notice>
  );
}
