/**
 * The order of the places: the largest first, as the last complete count found it. It stays while the sizes are counted,
 * so that no row moves away from under the pointer.
 */
import { useEffect, useState } from 'react';
import * as z from 'zod';
import type { Place, Places } from '#contract/bridge/data/places.ts';
import { asJson, personalSetting } from '../../../state/personalSetting.ts';

const idOf = ({ kind, path }: Place): string => `${kind} ${path}`;

/** The places by `idOf`, the largest first. */
const largestFirst = personalSetting('placeOrder', asJson(z.array(z.string())), []);

interface PlaceOrder {
  /** The places in their order; undefined until they are known. New ones are last. */
  ordered: Place[] | undefined;
  /** Takes the order of the last complete count, such as when the person counts again. */
  sort: () => void;
}

export function usePlaceOrder(data: Places | undefined): PlaceOrder {
  const [order, setOrder] = useState(() => largestFirst.get());
  useEffect(() => {
    if (!data?.isDone) return;
    const sorted = data.places.toSorted((one, other) => (other.bytes ?? 0) - (one.bytes ?? 0));
    largestFirst.set(sorted.map(idOf));
  }, [data]);
  const rankOf = (place: Place): number => {
    const rank = order.indexOf(idOf(place));
    return rank === -1 ? Infinity : rank;
  };
  return {
    // Two new places have the same rank, and keep their order.
    ordered: data?.places.toSorted((one, other) => {
      const [first, second] = [rankOf(one), rankOf(other)];
      return first === second ? 0 : first - second;
    }),
    sort: () => setOrder(largestFirst.get()),
  };
}
