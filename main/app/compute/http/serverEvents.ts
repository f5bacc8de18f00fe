/** Parses a stream of server-sent events. */

/** Lines may end with CR LF, LF or CR. */
const LINE_END = /\r\n|\n|\r/;

/** Yields the data of each event. Comments and other fields are ignored. */
export async function* readEvents(pieces: AsyncIterable<string>): AsyncGenerator<string, void, void> {
  let rest = '';
  let data: string[] = [];
  for await (const piece of pieces) {
    rest += piece;
    // A CR at the very end may be the first half of CR LF.
    const usable = rest.endsWith('\r') ? rest.slice(0, -1) : rest;
    const lines = usable.split(LINE_END);
    rest = (lines.pop() ?? '') + rest.slice(usable.length);
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
      else if (line === '' && data.length > 0) {
        const text = data.join('\n');
        data = [];
        yield text;
      }
    }
  }
}
