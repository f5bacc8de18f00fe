/** What a shell reports beside its screen, its title and its folder, as text that reports it again. */
import type { Terminal } from '@xterm/headless';

/** Follows what is written to the terminal from now on. Returns the text; empty if nothing was reported. */
export function followReports(terminal: Terminal): () => string {
  let title = '';
  let folder = '';
  // OSC 0 and OSC 2.
  terminal.onTitleChange((newTitle) => (title = newTitle));
  terminal.parser.registerOscHandler(7, (address) => {
    folder = address;
    return true;
  });
  // Neither has control characters: these end the sequence or are dropped by the parser.
  return () => (title === '' ? '' : `\x1b]0;${title}\x07`) + (folder === '' ? '' : `\x1b]7;${folder}\x07`);
}
