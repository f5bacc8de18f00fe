/** Names of keys as this system writes them. */

const apple = /mac|iphone|ipad/i.test(navigator.userAgent);

/** "Mod+Enter" → "⌘↵" on Apple systems, "Ctrl+Enter" elsewhere. */
export function keyLabel(keys: string): string {
  if (!apple) return keys.replace('Mod', 'Ctrl');
  return keys
    .split('+')
    .map((key) => ({ Mod: '⌘', Shift: '⇧', Enter: '↵' })[key] ?? key)
    .join('');
}
