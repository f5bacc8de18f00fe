/** Which files of a folder are chosen. */
import { useState } from 'react';
import type { VolumeFile } from '#contract/local/files.ts';

export interface FileChoice {
  readonly chosen: readonly VolumeFile[];
  has(name: string): boolean;
  /** Chooses these files, or no longer. */
  choose(files: readonly VolumeFile[], isChosen: boolean): void;
  chooseAll(): void;
  clear(): void;
}

/** `shown`: the visible files in their order. What is no longer visible is not chosen. */
export function useFileChoice(shown: readonly VolumeFile[]): FileChoice {
  const [names, setNames] = useState<ReadonlySet<string>>(new Set());
  return {
    chosen: names.size === 0 ? [] : shown.filter(({ name }) => names.has(name)),
    has: (name) => names.has(name),
    choose: (files, isChosen) =>
      setNames((before) => {
        const next = new Set(before);
        for (const { name } of files) {
          if (isChosen) next.add(name);
          else next.delete(name);
        }
        return next;
      }),
    chooseAll: () => setNames(new Set(shown.map(({ name }) => name))),
    clear: () => setNames(new Set()),
  };
}
