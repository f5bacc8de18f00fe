/**
 * Separates `hangar serve` from all other commands before any of them is loaded, because a host starts without them.
 */

const SHARED_WITH_VALUE: ReadonlySet<string> = new Set(['--data-dir']);

/** The flags of the headless host if the command is `hangar serve`; null for every other command. */
export function serveFlags(args: readonly string[]): string[] | null {
  let at = 0;
  while (args[at]?.startsWith('-')) at += SHARED_WITH_VALUE.has(args[at] ?? '') ? 2 : 1;
  return args[at] === 'serve' ? [...args.slice(0, at), ...args.slice(at + 1)] : null;
}
