/** One line of a chart over time. */

/** `bars` of one chart stand at the same place, the later before the earlier. */
export interface ChartLine {
  name: string;
  shape: 'bars' | 'solid' | 'dashed';
  tone: 'main' | 'bad' | 'quiet';
  /** One for each point; null for none. */
  values: readonly (number | null)[];
}
