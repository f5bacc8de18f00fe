/** Labels of worker loops, which request jobs. */
import type { WorkerRecord } from '#contract/local/engine.ts';
import { t } from '../../language/text.ts';

type Runtime = WorkerRecord['runtime'];
/** The loop of a worker or of an endpoint. */
type Loop = Pick<WorkerRecord, 'runtime' | 'publicSdk'>;

/** One or two words, for tables and lists. */
export const runtimeWords: Record<Runtime, string> = {
  node: t`Node`,
  python: t`Python`,
  command: t`command`,
  container: t`container`,
};

const ownWords: Record<Runtime, string> = {
  node: t`Hangar's Node worker`,
  python: t`Hangar's Python worker`,
  command: t`the handler's own command`,
  container: t`the container's own worker`,
};

/** The name in the middle of a sentence such as "Runs in Hangar's Node worker". */
export const loopWords = ({ runtime, publicSdk }: Loop): string =>
  publicSdk === null ? ownWords[runtime] : t`the worker of the public SDK ${publicSdk}`;

/** A hint for measurements; null if the loop has no delay between jobs. */
export function loopCaution({ runtime, publicSdk }: Loop): string | null {
  if (publicSdk !== null) return t`it sleeps up to 1 s between jobs`;
  return runtime === 'container' ? t`the loop of the public SDK sleeps up to 1 s between jobs` : null;
}
