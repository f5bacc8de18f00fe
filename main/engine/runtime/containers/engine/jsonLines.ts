/** What container engines answer bit by bit: one JSON value a line. */
import type { Readable } from 'node:stream';

/** Ends as the answer does: throws where that broke off. */
export async function* jsonLines(answer: Readable): AsyncGenerator {
  let rest = '';
  for await (const part of answer.setEncoding('utf8')) {
    const lines = (rest + (part as string)).split('\n');
    rest = lines.pop()!;
    for (const line of lines) if (line.trim() !== '') yield JSON.parse(line);
  }
  if (rest.trim() !== '') yield JSON.parse(rest);
}
