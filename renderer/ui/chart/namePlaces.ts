/** Where the names of lines stand beside a chart, so that none is on another or cut off at the top. */

interface Room {
  /** The least and the greatest middle of a name. */
  top: number;
  bottom: number;
  /** Of a name. */
  height: number;
}

/** The middles of the names. `ends`: where the lines end, from the lowest on the screen, whose y is greatest. */
export function namePlaces(ends: readonly number[], { top, bottom, height }: Room): number[] {
  let free = bottom;
  const places = ends.map((end) => {
    const middle = Math.min(free, end);
    free = middle - height;
    return middle;
  });
  let least = top;
  return places
    .toReversed()
    .map((place) => {
      const middle = Math.max(least, place);
      least = middle + height;
      return middle;
    })
    .toReversed();
}
