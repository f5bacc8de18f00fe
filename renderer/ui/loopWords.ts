/** Which loop of a worker asks for jobs, in words. */
import type { WorkerRecord } from '#contract/local.ts';

type Runtime = WorkerRecord['runtime'];

/** One or two words, for tables and lists. */
export const runtimeWords: Record<Runtime, string> = {
  node: 'Node',
  python: 'Python',
  command: 'command',
  container: 'container',
};

/** Within a sentence such as "Served by our Node loop". */
export const loopWords: Record<Runtime, string> = {
  node: 'our Node loop',
  python: 'our Python loop',
  command: "the handler's own command",
  container: "a container's own loop",
};

/** What a person who measures should know; null where nothing is lost between jobs. */
export const loopCaution: Record<Runtime, string | null> = {
  node: null,
  python: null,
  command: null,
  container: 'the public SDK sleeps up to 1 s between jobs',
};
