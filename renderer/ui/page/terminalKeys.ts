/**
 * The keys of the Terminals page. On systems other than Apple's, Ctrl alone belongs to the shell, so these have Shift,
 * too. None of them is a key that a browser keeps for itself, such as Ctrl+Shift+T and Ctrl+Shift+W.
 */
import { isApple } from '../keyboard/shortcuts.ts';

export const terminalKeys = {
  open: isApple ? 'Mod+Enter' : 'Mod+Shift+Enter',
  find: isApple ? 'Mod+F' : 'Mod+Shift+F',
  splitRow: isApple ? 'Mod+D' : 'Mod+Shift+D',
  splitColumn: isApple ? 'Mod+Shift+D' : 'Mod+Shift+E',
  alone: isApple ? 'Mod+Shift+Enter' : 'Mod+Shift+Z',
  nextPane: 'Mod+Shift+ArrowRight',
  previousPane: 'Mod+Shift+ArrowLeft',
  nextTab: 'Mod+Shift+ArrowDown',
  previousTab: 'Mod+Shift+ArrowUp',
  close: 'Mod+Shift+X',
  larger: 'Mod+=',
  smaller: 'Mod+-',
  usual: 'Mod+0',
} as const;
