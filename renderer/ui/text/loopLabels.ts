/** Which loop of a worker asks for jobs, in words. */
import type { WorkerRecord } from '#contract/local/engine.ts';

type Runtime = WorkerRecord['runtime'];
/** Of a worker, or of an endpoint. */
type Loop = Pick<WorkerRecord, 'runtime' | 'publicSdk'>;

/** One or two words, for tables and lists. */
export const runtimeWords: Record<Runtime, string> = {
  node: 'Node',
  python: 'Python',
  command: 'command',
  container: 'container',
};

const ownWords: Record<Runtime, string> = {
  node: 'our Node loop',
  python: 'our Python loop',
  command: "the handler's own command",
  container: "a container's own loop",
};

/** Within a sentence such as "Served by our Node loop". */
export const loopWords = ({ runtime, publicSdk }: Loop): string =>
  publicSdk === null ? ownWords[runtime] : `the loop of the public SDK ${publicSdk}`;

/** What a person who measures should know; null where nothing is lost between jobs. */
export function loopCaution({ runtime, publicSdk }: Loop): string | null {
  if (publicSdk !== null) return 'it sleeps up to 1 s between jobs';
  return runtime === 'container' ? 'that of the public SDK sleeps up to 1 s between jobs' : null;
}
