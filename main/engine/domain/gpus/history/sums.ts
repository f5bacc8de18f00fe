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

/** No measurement yet. */
export const noValues = (): QuantitySums => ({ count: 0, sum: 0, most: 0 });

/** Adds one measurement. */
export function addValue(to: QuantitySums, value: number): void {
  to.most = to.count === 0 ? value : Math.max(to.most, value);
  to.sum += value;
  to.count++;
}

const rounded = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;

/** The mean with so many digits after the point; null without a measurement. */
export const meanOf = ({ count, sum }: QuantitySums, digits: number): number | null =>
  count === 0 ? null : rounded(sum / count, digits);

/** The mean and the greatest, with so many digits after the point; null without a measurement. */
export function measuredOf(quantity: QuantitySums, digits: number): { mean: number; most: number } | null {
  const mean = meanOf(quantity, digits);
  return mean === null ? null : { mean, most: rounded(quantity.most, digits) };
}

export const newSums = (): GpuSums => ({
  quantities: {
    utilPercent: noValues(),
    memoryBytes: noValues(),
    powerW: noValues(),
    temperatureC: noValues(),
    ownMemoryBytes: noValues(),
  },
  users: [],
});

const keyOf = ({ kind, id }: GpuUser): string => `${kind} ${id}`;
const isKept = (user: GpuUser | undefined): boolean => user?.isKept === true;
const moreMemory = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.max(a, b);
/** Own workers and Pods that use a GPU, then those that keep it, then other programs. */
const rank = (user: GpuUser): number => (user.kind === 'program' ? 2 : isKept(user) ? 1 : 0);

/** Own workers and Pods first, then by memory, the most first. */
export const inOrder = <User extends GpuUser>(users: Iterable<User>): User[] =>
  [...users].sort((a, b) => rank(a) - rank(b) || (b.memoryBytes ?? -1) - (a.memoryBytes ?? -1));

/** The users of both, each once: with the most memory that it had, and the newer name. Who used it did not just keep it. */
function joinUsers(before: readonly GpuUser[], later: readonly GpuUser[]): GpuUser[] {
  const users = new Map(before.map((user) => [keyOf(user), user]));
  for (const user of later) {
    const known = users.get(keyOf(user));
    const { isKept: _, ...used } = user;
    users.set(keyOf(user), {
      ...(known !== undefined && !isKept(known) ? used : user),
      memoryBytes: moreMemory(known?.memoryBytes ?? null, user.memoryBytes),
    });
  }
  return inOrder(users.values()).slice(0, bounds.users);
}

export function measure(sums: GpuSums, measurement: GpuMeasurement): void {
  for (const name of quantities) {
    const value = measurement[name];
    if (value !== null) addValue(sums.quantities[name], value);
  }
  sums.users = joinUsers(sums.users, measurement.users);
}

/** Adds the measurements of another span. */
export function addQuantity(to: QuantitySums, added: QuantitySums): void {
  if (added.count === 0) return;
  to.most = to.count === 0 ? added.most : Math.max(to.most, added.most);
  to.sum += added.sum;
  to.count += added.count;
}

/** Adds the sums of another span, which is the later one. */
export function addSums(to: GpuSums, later: GpuSums): void {
  for (const name of quantities) addQuantity(to.quantities[name], later.quantities[name]);
  to.users = joinUsers(to.users, later.users);
}
