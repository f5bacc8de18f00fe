/** The duration until a time of day. */

/** Milliseconds from `now` until the clock next shows "HH:MM", today or tomorrow. Null for an invalid time of day. */
export function msUntil(timeOfDay: string, now: number): number | null {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(timeOfDay) ?? [];
  if (hours === undefined || minutes === undefined) return null;
  const then = new Date(now);
  then.setHours(Number(hours), Number(minutes), 0, 0);
  // The date changes, instead of an addition of 24 hours, because days with a clock change have another length.
  if (then.getTime() <= now) then.setDate(then.getDate() + 1);
  return then.getTime() - now;
}

/** "HH:MM" of a time, as an input of type `time` requires it. */
export function timeOfDayAt(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
}
