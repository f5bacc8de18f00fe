/** Deletes files and folders one after the other, with the state and the result of each. */
import { useCallback, useState } from 'react';
import type { FileHolder } from '#contract/local/files.ts';
import { api, errorText, orpc, queryClient } from '../../../client/transport/orpc.ts';

/** `problem`: why it is still there. */
export type RemovalState = { is: 'waiting' } | { is: 'running' } | { is: 'gone' } | { is: 'failed'; problem: string };

export interface Removal {
  /**
   * The state of a path; undefined if its deletion was not asked for, or if the list no longer has it. The same function
   * as long as no state changes.
   */
  stateOf(path: string): RemovalState | undefined;
  remove(paths: readonly string[]): Promise<void>;
  /** Forgets why these were not deleted. */
  forget(paths: readonly string[]): void;
}

/** Deletions in one volume or Pod. */
export function useRemoval(accountId: string, holder: FileHolder): Removal {
  const [states, setStates] = useState<ReadonlyMap<string, RemovalState>>(new Map());
  const note = (paths: readonly string[], state: RemovalState | null) =>
    setStates((before) => {
      const next = new Map(before);
      for (const path of paths) {
        if (state === null) next.delete(path);
        else next.set(path, state);
      }
      return next;
    });
  const stateOf = useCallback((path: string) => states.get(path), [states]);
  return {
    stateOf,
    forget: (paths) => note(paths, null),
    async remove(paths) {
      note(paths, { is: 'waiting' });
      const gone: string[] = [];
      for (const path of paths) {
        note([path], { is: 'running' });
        try {
          await api.files.remove({ accountId, holder, path });
          gone.push(path);
          note([path], { is: 'gone' });
        } catch (error) {
          note([path], { is: 'failed', problem: errorText(error) });
        }
      }
      await queryClient.invalidateQueries({ queryKey: orpc.files.list.key() });
      // From now on the list itself lacks them, and a new file may have such a name.
      note(gone, null);
    },
  };
}
