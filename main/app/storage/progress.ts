/** The progress of long work on a data folder. */

export interface Progress {
  doneBytes: number;
  totalBytes: number;
  doneFiles: number;
  totalFiles: number;
}

/** Calls the listener at most every 200 ms, and with the last state. */
export function createProgress(listener: (progress: Progress) => void): {
  readonly now: Progress;
  add(bytes: number, files: number): void;
  flush(): void;
} {
  const EVERY_MS = 200;
  const now: Progress = { doneBytes: 0, totalBytes: 0, doneFiles: 0, totalFiles: 0 };
  let shownAt = -Infinity;
  return {
    now,
    add(bytes, files) {
      now.doneBytes += bytes;
      now.doneFiles += files;
      const at = performance.now();
      if (at - shownAt < EVERY_MS) return;
      shownAt = at;
      listener({ ...now });
    },
    flush: () => listener({ ...now }),
  };
}
