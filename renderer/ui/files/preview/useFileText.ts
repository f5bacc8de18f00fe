/** A text file that is changed: what was opened, what was typed, and saving without losing what others wrote meanwhile. */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { errorText } from '../../../client/transport/orpc.ts';
import type { FormDraft } from '../../form/formDrafts.ts';
import type { FileText } from './readText.ts';
import { textDrafts } from './textDrafts.ts';

/** How the file is read and written. */
export interface TextFileIo {
  /** The file as it is now; null if it is gone, or no longer a text that can be changed. */
  read(): Promise<FileText | null>;
  write(text: string): Promise<void>;
  /** Called when the file that is shown has other content than before, by this person or another one. */
  hasNewContent(): Promise<void>;
}

/** Somebody else changed the file after it was opened. `theirs`: null if it is gone. */
export interface SaveConflict {
  readonly theirs: FileText | null;
}

export interface OpenFileText {
  /** The text that the editor begins with. */
  readonly opened: FileText;
  /** The text as it is typed now. */
  readonly text: string;
  /** Grows with each text that the editor begins anew with. */
  readonly version: number;
  readonly isChanged: boolean;
  readonly isSaving: boolean;
  /** Whether a text of this person was saved. */
  readonly wasSaved: boolean;
  /** Whether others changed the file, and the text is the new one. */
  readonly wasReread: boolean;
  readonly conflict: SaveConflict | null;
  /** Why it was not saved; null if nothing went wrong. */
  readonly problem: string | null;
  onChange(text: string): void;
  /**
   * Saves what was typed so far, or notes a conflict. `overwrites`: whatever others wrote. `next` is called once the file
   * has the text.
   */
  save(overwrites: boolean, next?: () => void): void;
  /** Opens what others wrote, without the own changes. */
  takeTheirs(): void;
  /** Leaves the conflict as it is, to go on with the own text. */
  goOn(): void;
}

/**
 * `key`: the file, as `keyOf` names it. What was typed into it before and is not saved is there again. `changedAt`: when
 * the file was changed, as its folder lists it now; where that changes, the file is read again: without own changes the
 * new text is shown, with some the conflict is said at once, not only by the next save.
 */
export function useFileText(
  first: FileText,
  key: string,
  changedAt: string,
  { read, write, hasNewContent }: TextFileIo,
): OpenFileText {
  const [begin] = useState<FormDraft<FileText>>(() => {
    const draft = textDrafts.get(key);
    return draft === undefined || draft.values.text === first.text ? { saved: first, values: first } : draft;
  });
  const [opened, setOpened] = useState(begin.values);
  const [version, setVersion] = useState(0);
  const [shown, setShown] = useState(begin);
  /** What the file has, as far as is known, and the text as it is typed now, which is perhaps not shown yet. */
  const now = useRef(begin);
  const isOpen = useRef(false);
  const [conflict, setConflict] = useState<SaveConflict | null>(null);
  const [wasReread, setReread] = useState(false);
  const put = (fields: Partial<FormDraft<FileText>>): void => {
    now.current = { ...now.current, ...fields };
    // A save may end after the person has closed the file and discarded what was typed.
    if (isOpen.current || textDrafts.get(key) !== undefined) noteDraft(key, now.current);
    setShown(now.current);
  };
  useEffect(() => {
    isOpen.current = true;
    noteDraft(key, now.current);
    return () => void (isOpen.current = false);
  }, [key]);
  const saving = useMutation({
    async mutationFn({ mine, overwrites }: { mine: FileText; overwrites: boolean }) {
      if (!overwrites) {
        const there = await read();
        if (there?.text !== now.current.saved.text && there?.text !== mine.text) return { theirs: there };
      }
      await write(mine.text);
      await hasNewContent();
      return null;
    },
    onSuccess(conflictNow, { mine }) {
      setConflict(conflictNow);
      if (conflictNow === null) put({ saved: mine });
      setReread(false);
    },
  });
  const show = (text: FileText): void => {
    setOpened(text);
    put({ saved: text, values: text });
    setVersion((before) => before + 1);
  };
  const readAgain = useEffectEvent(async () => {
    const there = await read();
    const { saved, values } = now.current;
    // The own save may be in the list before it has ended here.
    if (!isOpen.current || there?.text === saved.text || there?.text === values.text) return;
    if (there === null || hasChange(now.current)) return setConflict({ theirs: there });
    show(there);
    setReread(true);
  });
  const changedBefore = useRef(changedAt);
  useEffect(() => {
    if (changedBefore.current === changedAt) return;
    changedBefore.current = changedAt;
    // A file that cannot be read now is not lost: a save says what is wrong.
    readAgain().catch(() => undefined);
  }, [changedAt]);
  return {
    opened,
    text: shown.values.text,
    version,
    isChanged: hasChange(shown),
    isSaving: saving.isPending,
    wasSaved: saving.data === null,
    wasReread,
    conflict,
    problem: saving.isError ? errorText(saving.error) : null,
    onChange: (text) => put({ values: { ...now.current.values, text } }),
    save(overwrites, next) {
      if (saving.isPending) return;
      if (!overwrites && !hasChange(now.current)) return next?.();
      saving.mutate(
        { mine: now.current.values, overwrites },
        { onSuccess: (conflictNow) => conflictNow === null && next?.() },
      );
    },
    takeTheirs() {
      const theirs = conflict?.theirs;
      if (!theirs) return;
      show(theirs);
      setConflict(null);
      void hasNewContent();
    },
    goOn: () => setConflict(null),
  };
}

const hasChange = ({ saved, values }: FormDraft<FileText>): boolean => saved.text !== values.text;

const noteDraft = (key: string, draft: FormDraft<FileText>): void =>
  textDrafts.set(key, hasChange(draft) ? draft : null);
