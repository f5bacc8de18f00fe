/** The parts of the path of a folder, as a person types it, on any system. */

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
