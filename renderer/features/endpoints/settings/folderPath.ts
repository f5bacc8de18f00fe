/** The path of a folder as a person types or pastes it, and its parts, on any system. */

export interface FolderParts {
  /** The folder that it is in, without the last separator; empty for a path of one part. */
  parent: string;
  name: string;
}

/** `/home/me/greeter/` is `greeter` in `/home/me`. */
export function splitFolder(path: string): FolderParts {
  const typed = path.trim().replace(/[/\\]+$/, '');
  const at = Math.max(typed.lastIndexOf('/'), typed.lastIndexOf('\\'));
  // The root of a disk keeps its separator.
  return { parent: typed.slice(0, at === 0 ? 1 : Math.max(at, 0)), name: typed.slice(at + 1) };
}

/** Programs copy a folder as an address, such as file:///home/me/my%20handler or file://localhost/…; any other text stays. */
export function pastedFolder(text: string): string {
  const address = text.trim();
  if (!/^file:\/\/(localhost)?\/[^/]/i.test(address) || !URL.canParse(address)) return text;
  try {
    // The path of a disk of Windows begins with its letter.
    return decodeURIComponent(new URL(address).pathname).replace(/^\/(?=[a-z]:)/i, '');
  } catch {
    // Broken percent signs: it is no address.
    return text;
  }
}
