/** Names of keys as this system writes them. */

export const isApple = /mac|iphone|ipad/i.test(navigator.userAgent);

/** "Mod+Enter" → "⌘↵" on Apple systems, "Ctrl+Enter" elsewhere. */
export function keyLabel(keys: string): string {
  if (!isApple) return keys.replace('Mod', 'Ctrl');
  return keys
    .split('+')
    .map((key) => ({ Mod: '⌘', Shift: '⇧', Enter: '↵' })[key] ?? key)
    .join('');
}
