/** The last lines that a container wrote before it ended. */
import { podHistoryLimits } from '#contract/local/podEvent.ts';
import { readPodPage, type ReadOutput } from '../../logs/podLog.ts';

const { count, length } = podHistoryLimits.lastLines;

const US_PER_MS = 1000;
/** A container engine notes a start a moment after the program began to write; between two runs there is more time. */
const BEFORE_START_MS = 500;

/**
 * The last lines of the last run: the container engine also keeps those of the runs before. `startedAt`: its start in
 * milliseconds since the epoch; null if it is not known. Rejects where the container engine cannot be read.
 */
export async function lastLinesOf(output: ReadOutput, startedAt: number | null): Promise<string[]> {
  const ofRun: ReadOutput = (query, signal) =>
    output(startedAt === null ? query : { ...query, sinceUs: (startedAt - BEFORE_START_MS) * US_PER_MS }, signal);
  const { lines } = await readPodPage(ofRun, { limit: count }, new AbortController().signal);
  return lines.map(({ text }) => (text.length > length ? `${text.slice(0, length)}…` : text));
}
