/**
 * Commands of what is on screen, for the palette and by their keys. A page, a dialog or a part of a page declares its
 * own with `useCommands`; they last as long as it is mounted.
 */
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { getHotkeyHandler } from '@mantine/hooks';
import { hasDialog, isCovered } from './backStep.ts';

export interface Command {
  /** What it does, as a button says it. It is unique on the page. */
  label: string;
  /** Such as `N` or `Mod+Enter`. Those with `Mod` also work while a person types. */
  keys?: string;
  /** More words for the palette. */
  description?: string;
  /** The action that the page exists for, and what stops it: first in the palette. */
  isMain?: true;
  run: () => void;
}

/** A condition before a command: `isPossible && {…}`. */
type MaybeCommand = Command | false | null | undefined;

const sources = new Set<{ current: readonly Command[] }>();

/** Counts the parts that came and went, so that an open palette follows a page that is still loading. */
let generation = 0;
const listeners = new Set<() => void>();

function sourcesChanged(): void {
  generation++;
  for (const listener of listeners) listener();
}

function onSources(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The commands of what is on screen now: the main ones first, else in the order in which the parts appeared. */
export const commandsNow = (): readonly Command[] =>
  [...sources].flatMap(({ current }) => current).toSorted((one, other) => mainRank(one) - mainRank(other));

const mainRank = ({ isMain }: Command): number => (isMain === true ? 0 : 1);

/** The same for the palette; empty while it is closed. */
export function useCommandsNow(isOpen: boolean): readonly Command[] {
  useSyncExternalStore(onSources, () => (isOpen ? generation : 0));
  return isOpen ? commandsNow() : [];
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** A control such as a text that is edited in place handles the keys of its `data-own-keys` itself. */
const isOwnKey = (target: EventTarget | null, keys: string): boolean =>
  target instanceof Element && target.closest(`[data-own-keys~="${keys}"]`) !== null;

/**
 * Declares commands. While a dialog or a menu is open, their keys do nothing; a list of choices stops letters alone.
 */
export function useCommands(commands: readonly MaybeCommand[]): void {
  const possible = commands.filter((command) => !!command);
  const source = useRef(possible);
  useLayoutEffect(() => {
    source.current = possible;
  });
  useEffect(() => {
    sources.add(source);
    sourcesChanged();
    return () => {
      sources.delete(source);
      sourcesChanged();
    };
  }, []);
  const withKeys = possible.filter(({ keys }) => keys !== undefined);
  const hasKeys = withKeys.length > 0;
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const isEarly = event.eventPhase === Event.CAPTURING_PHASE;
    if (isEarly ? hasDialog() : isCovered() || isTyping(event.target)) return;
    for (const { keys, run } of withKeys) {
      // Escape is a step back, which has an order of its own.
      if (keys === undefined || keys === 'Esc' || keys.startsWith('Mod') !== isEarly) continue;
      if (isOwnKey(event.target, keys)) continue;
      const take = (): void => {
        event.stopPropagation();
        run();
      };
      getHotkeyHandler([[keys, take]])(event);
    }
  });
  useEffect(() => {
    if (!hasKeys) return undefined;
    const listener = (event: KeyboardEvent): void => onKeyDown(event);
    // Keys with Mod come before the control that has the focus, which would take Ctrl+Enter for Enter.
    const page = document.documentElement;
    page.addEventListener('keydown', listener, { capture: true });
    page.addEventListener('keydown', listener);
    return () => {
      page.removeEventListener('keydown', listener, { capture: true });
      page.removeEventListener('keydown', listener);
    };
  }, [hasKeys]);
}
