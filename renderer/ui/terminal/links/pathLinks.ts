/** Links of a terminal to the files that its output names. */
import type { IDisposable, ILink, Terminal } from '@xterm/xterm';
import { isApple } from '../../keyboard/shortcuts.ts';
import { lineText } from './lineText.ts';
import { absolutePath, pathsIn } from './pathsIn.ts';

/** What a click on a path does. It shows a file and never runs one: any program can write a path. */
export interface ShownPath {
  /** What the click does, such as "Ctrl+click shows /a/b in Files". */
  hint: string;
  show(): void;
}

/** How files of the computer of a terminal are found and shown. */
export interface PathPlace {
  /** The folder in which its shell works; null if that is not known. */
  folder(): Promise<string | null>;
  /** A file or folder by its absolute path; null if it is not there or cannot be shown. Never rejects. */
  find(path: string): Promise<ShownPath | null>;
}

/** The key that is held while a link is clicked, for hints. */
export const linkKey = isApple ? 'Cmd' : 'Ctrl';

/** Whether a click follows a link: with `linkKey`. A finger has no such key. */
export const followsLink = (event: MouseEvent): boolean =>
  (isApple ? event.metaKey : event.ctrlKey) || window.matchMedia('(hover: none)').matches;

const overlap = (a: { start: number; end: number }, b: { start: number; end: number }): boolean =>
  a.start < b.end && b.start < a.end;

/** Adds the links to a terminal. `onHint` gets the hint of the link below the pointer, and null behind it. */
export function addPathLinks(
  terminal: Terminal,
  place: () => PathPlace | null,
  onHint: (hint: string | null) => void,
): IDisposable {
  async function linksAt(row: number): Promise<ILink[]> {
    const files = place();
    if (files === null) return [];
    const { text, rangeOf } = lineText(terminal.buffer.active, row);
    const paths = pathsIn(text);
    const isRelative = paths.some(({ path }) => absolutePath(path, null) === null);
    const folder = isRelative ? await files.folder() : null;
    const targets = await Promise.all(
      paths.map(async (path) => {
        const whole = absolutePath(path.path, folder);
        const shown = whole === null ? null : await files.find(whole);
        return shown === null ? [] : [{ ...path, shown }];
      }),
    );
    const taken: { start: number; end: number; shown: ShownPath }[] = [];
    for (const next of targets.flat()) if (!taken.some((one) => overlap(one, next))) taken.push(next);
    return taken.map(({ start, end, shown }) => ({
      range: rangeOf(start, end),
      text: text.slice(start, end),
      activate: (event) => {
        if (followsLink(event)) shown.show();
      },
      hover: () => onHint(shown.hint),
      leave: () => onHint(null),
    }));
  }
  let latest = 0;
  return terminal.registerLinkProvider({
    provideLinks(row, take) {
      latest += 1;
      const request = latest;
      const answer = (links: ILink[] | undefined): void => {
        // xterm would take a late answer for one about the row of now.
        if (request === latest) take(links);
      };
      linksAt(row - 1).then(answer, () => answer(undefined));
    },
  });
}
