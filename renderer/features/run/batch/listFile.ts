/** The file that a person chose as the list of a batch. It stays chosen until the window closes, like a list that is typed. */
import { useState } from 'react';
import { create } from 'zustand';
import { limits } from '#contract/core/limits.ts';
import { formatBytes } from '../../../ui/text/format.ts';
import { t } from '../../../language/text.ts';

const { bytes: MOST_BYTES } = limits.batch;
/** A file of CSV is larger than its inputs only by a little. */
const MOST_FILE_BYTES = 2 * MOST_BYTES;

export interface ListFile {
  name: string;
  text: string;
}

/** By draft key. */
const useFiles = create<Record<string, ListFile | null>>(() => ({}));

/** The file of an endpoint; `problem` says why the last one was not taken. */
export function useListFile(draftKey: string) {
  const file = useFiles((files) => files[draftKey] ?? null);
  const [problem, setProblem] = useState<string | null>(null);
  return {
    file,
    problem,
    choose: async (picked: File) => {
      if (picked.size > MOST_FILE_BYTES) {
        setProblem(
          t`${picked.name} has ${formatBytes(picked.size)}; at most ${formatBytes(MOST_BYTES)} of inputs run in one batch.`,
        );
        return;
      }
      const text = await picked.text();
      setProblem(null);
      useFiles.setState({ [draftKey]: { name: picked.name, text } });
    },
    remove: () => useFiles.setState({ [draftKey]: null }),
  };
}
