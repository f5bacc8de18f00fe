/** A text file that is changed: what was opened, what was typed, and saving without losing what others wrote meanwhile. */
import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { errorText } from '../../../client/transport/orpc.ts';
import type { FileText } from './readText.ts';

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
  readonly conflict: SaveConflict | null;
  /** Why it was not saved; null if nothing went wrong. */
  readonly problem: string | null;
  onChange(text: string): void;
  /** Saves, or notes a conflict. `overwrites`: whatever others wrote. */
  save(overwrites: boolean): void;
  /** Opens what others wrote, without the own changes. */
  takeTheirs(): void;
  /** Leaves the conflict as it is, to go on with the own text. */
  goOn(): void;
}

export function useFileText(first: FileText, { read, write, hasNewContent }: TextFileIo): OpenFileText {
  const [opened, setOpened] = useState(first);
  const [version, setVersion] = useState(0);
  /** What the file has, as far as is known. */
  const [base, setBase] = useState(first.text);
  const [text, setText] = useState(first.text);
  const [conflict, setConflict] = useState<SaveConflict | null>(null);
  const saving = useMutation({
    async mutationFn({ mine, overwrites }: { mine: string; overwrites: boolean }) {
      if (!overwrites) {
        const now = await read();
        if (now?.text !== base && now?.text !== mine) return { theirs: now };
      }
      await write(mine);
      await hasNewContent();
      return null;
    },
    onSuccess(conflictNow, { mine }) {
      setConflict(conflictNow);
      if (conflictNow === null) setBase(mine);
    },
  });
  return {
    opened,
    text,
    version,
    isChanged: text !== base,
    isSaving: saving.isPending,
    wasSaved: saving.data === null,
    conflict,
    problem: saving.isError ? errorText(saving.error) : null,
    onChange: setText,
    save: (overwrites) => saving.mutate({ mine: text, overwrites }),
    takeTheirs() {
      const theirs = conflict?.theirs;
      if (!theirs) return;
      setOpened(theirs);
      setBase(theirs.text);
      setText(theirs.text);
      setVersion((before) => before + 1);
      setConflict(null);
      void hasNewContent();
    },
    goOn: () => setConflict(null),
  };
}
