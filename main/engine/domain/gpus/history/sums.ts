/** The measurements of a GPU in one span of time, as sums: those of several spans add up. */
import type { GpuUser } from '#contract/local/gpuHistory.ts';
import { bounds } from './steps.ts';

/** The measurements of one quantity: their number, their sum and the greatest. */
export interface QuantitySums {
  count: number;
  sum: number;
  most: number;
}

export const quantities = ['utilPercent', 'memoryBytes', 'powerW', 'temperatureC', 'ownMemoryBytes'] as const;
export type Quantity = (typeof quantities)[number];

export interface GpuSums {
  readonly quantities: Record<Quantity, QuantitySums>;
  /** Those with the most memory; at most as many as `bounds.users`. */
  users: readonly GpuUser[];
}

/** One measurement of a GPU. Null: the driver does not report it. */
export type GpuMeasurement = Readonly<Record<Quantity, number | null>> & { readonly users: readonly GpuUser[] };

const none = (): QuantitySums => ({ count: 0, sum: 0, most: 0 });

export const newSums = (): GpuSums => ({
  quantities: {
    utilPercent: none(),
    memoryBytes: none(),
    powerW: none(),
    temperatureC: none(),
    ownMemoryBytes: none(),
  },
  users: [],
});

const keyOf = ({ kind, id }: GpuUser): string => `${kind} ${id}`;
const moreMemory = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.max(a, b);
const isOther = ({ kind }: GpuUser): boolean => kind === 'program';

/** Own workers and Pods first, then by memory, the most first. */
export const inOrder = <User extends GpuUser>(users: Iterable<User>): User[] =>
  [...users].sort((a, b) => Number(isOther(a)) - Number(isOther(b)) || (b.memoryBytes ?? -1) - (a.memoryBytes ?? -1));

/** The users of both, each once: with the most memory that it had, and the newer name. */
function joinUsers(before: readonly GpuUser[], later: readonly GpuUser[]): GpuUser[] {
  const users = new Map(before.map((user) => [keyOf(user), user]));
  for (const user of later) {
    const known = users.get(keyOf(user));
    users.set(keyOf(user), { ...user, memoryBytes: moreMemory(known?.memoryBytes ?? null, user.memoryBytes) });
  }
  return inOrder(users.values()).slice(0, bounds.users);
}

export function measure(sums: GpuSums, measurement: GpuMeasurement): void {
  for (const name of quantities) {
    const value = measurement[name];
    if (value === null) continue;
    const quantity = sums.quantities[name];
    quantity.most = quantity.count === 0 ? value : Math.max(quantity.most, value);
    quantity.sum += value;
    quantity.count++;
  }
  sums.users = joinUsers(sums.users, measurement.users);
}

/** Adds the sums of another span, which is the later one. */
export function addSums(to: GpuSums, later: GpuSums): void {
  for (const name of quantities) {
    const quantity = to.quantities[name];
    const added = later.quantities[name];
    if (added.count === 0) continue;
    quantity.most = quantity.count === 0 ? added.most : Math.max(quantity.most, added.most);
    quantity.sum += added.sum;
    quantity.count += added.count;
  }
  to.users = joinUsers(to.users, later.users);
}
