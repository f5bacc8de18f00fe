/** Which files of a folder are chosen: by clicks with Ctrl or Shift as in a file manager, or by their checkboxes. */
import { useState } from 'react';
import type { VolumeFile } from '#contract/local/files.ts';

/** How a click changes the choice: `only` that row, that row in or out (`toggle`), or all up to it (`range`). */
export type ChoiceStep = 'only' | 'toggle' | 'range';

/** The step of a click. `plain`: without Ctrl and Shift. */
export const stepOf = (
  { ctrlKey, metaKey, shiftKey }: { ctrlKey: boolean; metaKey: boolean; shiftKey: boolean },
  plain: ChoiceStep,
): ChoiceStep => (shiftKey ? 'range' : ctrlKey || metaKey ? 'toggle' : plain);

export interface FileChoice {
  readonly chosen: readonly VolumeFile[];
  has(name: string): boolean;
  choose(name: string, step: ChoiceStep): void;
  chooseAll(): void;
  clear(): void;
}

interface Chosen {
  names: ReadonlySet<string>;
  /** Where a range begins: the row of the last click without Shift. */
  anchor: string | null;
}

const nothing: Chosen = { names: new Set(), anchor: null };

/** The names after a click on `name`. `order`: the names as they are shown. */
export function chosenAfter(
  { names, anchor }: Chosen,
  order: readonly string[],
  name: string,
  step: ChoiceStep,
): Chosen {
  if (step === 'only') return { names: new Set([name]), anchor: name };
  if (step === 'toggle') {
    const next = new Set(names);
    if (!next.delete(name)) next.add(name);
    return { names: next, anchor: name };
  }
  const from = anchor === null ? 0 : Math.max(0, order.indexOf(anchor));
  const to = order.indexOf(name);
  const range = order.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { names: new Set(range), anchor: order[from] ?? name };
}

/** `shown`: the visible files in their order. What is no longer visible is not chosen. */
export function useFileChoice(shown: readonly VolumeFile[]): FileChoice {
  const [state, setState] = useState(nothing);
  const chosen = shown.filter(({ name }) => state.names.has(name));
  const order = shown.map(({ name }) => name);
  return {
    chosen,
    has: (name) => state.names.has(name),
    choose: (name, step) => setState((before) => chosenAfter(before, order, name, step)),
    chooseAll: () => setState({ names: new Set(order), anchor: null }),
    clear: () => setState(nothing),
  };
}
