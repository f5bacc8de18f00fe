/** The last lines that a container wrote. */
import { podHistoryLimits } from '#contract/local/podEvent.ts';
import { readPodPage, type ReadOutput } from '../../logs/podLog.ts';

const { count, length } = podHistoryLimits.lastLines;

/** Rejects where the container engine cannot be read. */
export async function lastLinesOf(output: ReadOutput): Promise<string[]> {
  const { lines } = await readPodPage(output, { limit: count }, new AbortController().signal);
  return lines.map(({ text }) => (text.length > length ? `${text.slice(0, length)}…` : text));
}
