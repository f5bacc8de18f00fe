/** Which tabs of a row have room. */

/** All sizes in CSS pixels. */
export interface TabRow {
  /** Of each tab, in order. */
  widths: readonly number[];
  /** Between two tabs. */
  gap: number;
  /** For all tabs and the button "More". */
  room: number;
  /** Of the button "More", which is there only if a tab has no room. */
  moreWidth: number;
  /** The index of the selected tab, which is always shown. */
  selected: number;
}

/** The indexes of the tabs that are shown: all, or the selected one, and of the others, from the first on, those that have room. */
export function fittingTabs({ widths, gap, room, moreWidth, selected }: TabRow): ReadonlySet<number> {
  const all = widths.reduce((sum, width) => sum + width, 0) + gap * Math.max(0, widths.length - 1);
  if (all <= room) return new Set(widths.keys());
  const shown = new Set(selected in widths ? [selected] : []);
  let left = room - moreWidth - gap - (widths[selected] ?? 0);
  for (const [index, width] of widths.entries()) {
    if (index === selected) continue;
    // One that is too wide leaves its room to those after it.
    if (width + gap > left) continue;
    left -= width + gap;
    shown.add(index);
  }
  return shown;
}
