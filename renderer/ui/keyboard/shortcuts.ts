/** Names of keys as this system writes them. */

export const isApple = /mac|iphone|ipad/i.test(navigator.userAgent);

const ARROWS: Readonly<Record<string, string>> = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓' };

/** "Mod+Enter" → "⌘↵" on Apple systems, "Ctrl+Enter" elsewhere. */
export function keyLabel(combination: string): string {
  const keys = combination.replace(/Arrow\w+/, (name) => ARROWS[name] ?? name);
  if (!isApple) return keys.replace('Mod', 'Ctrl');
  return keys
    .split('+')
    .map((key) => ({ Mod: '⌘', Shift: '⇧', Enter: '↵' })[key] ?? key)
    .join('');
}
