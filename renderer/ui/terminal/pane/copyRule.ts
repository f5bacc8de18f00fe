/** The clipboard keys of a terminal, where Ctrl+C alone belongs to the shell. */

export interface TerminalKey {
  key: string;
  ctrlKey: boolean;
  shiftKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

interface Surroundings {
  system: 'apple' | 'windows' | 'other';
  hasSelection: boolean;
}

/** The browser handles `paste`, the page handles `find`; null goes to the shell. */
export function copyRule(event: TerminalKey, { system, hasSelection }: Surroundings): 'copy' | 'paste' | 'find' | null {
  const { key, ctrlKey, shiftKey, metaKey, altKey } = event;
  if (altKey) return null;
  const letter = key.toLowerCase();
  const ours = system === 'apple' ? metaKey && !ctrlKey && !shiftKey : ctrlKey && shiftKey && !metaKey;
  if (ours && letter === 'c') return 'copy';
  if (ours && letter === 'v') return 'paste';
  if (ours && letter === 'f') return 'find';
  const plain = ctrlKey && !shiftKey && !metaKey;
  if (system === 'windows' && plain && letter === 'c' && hasSelection) return 'copy';
  if (system === 'windows' && plain && letter === 'v') return 'paste';
  return null;
}
