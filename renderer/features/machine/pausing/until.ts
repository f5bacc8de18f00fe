/** How long it is until a time of day. */

/**
 * Milliseconds from `now` to the next time the clock shows "HH:MM"; tomorrow's where today's has passed. Null for anything that
 * is no time of day.
 */
export function msUntil(timeOfDay: string, now: number): number | null {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(timeOfDay) ?? [];
  if (hours === undefined || minutes === undefined) return null;
  const then = new Date(now);
  then.setHours(Number(hours), Number(minutes), 0, 0);
  // The date, not 24 hours: a day on which clocks change has another length.
  if (then.getTime() <= now) then.setDate(then.getDate() + 1);
  return then.getTime() - now;
}

/** "HH:MM" of a moment, as an input for times takes it. */
export function timeOfDayAt(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
}
