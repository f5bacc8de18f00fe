/** Formats durations, sizes, counts and times for a person. */
import { t } from '../../language/text.ts';

const NARROW = '\u202f';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Milliseconds: "12 ms", "1.2 s", "38 s", "1 min 3 s", "2 h 5 min", "3 d 4 h". The one way to write a duration. */
export function formatDuration(ms: number): string {
  const value = Math.max(0, ms);
  if (value < 999.5) return `${Math.round(value)} ms`;
  if (value < 9950) return `${(value / 1000).toFixed(1)} s`;
  if (value < MINUTE - 500) return `${Math.round(value / 1000)} s`;
  if (value < HOUR) return twoUnits(value, MINUTE, 'min', 1000, 's');
  if (value < 2 * DAY) return twoUnits(value, HOUR, 'h', MINUTE, 'min');
  return twoUnits(value, DAY, 'd', HOUR, 'h');
}

/** How long something has been up. It does not change with each second: "49 s", "23 min", "2 h 14 min". */
export const formatUptime = (ms: number): string =>
  ms < MINUTE ? `${Math.max(0, Math.floor(ms / 1000))} s` : formatDuration(Math.floor(ms / MINUTE) * MINUTE);

/** A configured duration: as `formatDuration`, and "5 s" instead of "5.0 s". */
export const formatSetting = (ms: number): string => formatDuration(ms).replace('.0 s', ' s');

function twoUnits(ms: number, large: number, largeName: string, small: number, smallName: string): string {
  const parts = Math.round(ms / small);
  const perLarge = large / small;
  const rest = parts % perLarge;
  const head = `${Math.floor(parts / perLarge)} ${largeName}`;
  return rest === 0 ? head : `${head} ${rest} ${smallName}`;
}

/** The name of a GPU without its maker: "RTX 4090" of "NVIDIA GeForce RTX 4090". */
export const shortGpuName = (name: string): string => name.replace(/^NVIDIA (GeForce )?/, '');

/** The digits before the decimal point in groups of three. */
export const groupDigits = (digits: string): string => digits.replace(/(?<!\.\d*)\B(?=(\d{3})+(?!\d))/g, NARROW);

/** A whole number with groups of three: "1 204". */
export const formatCount = (count: number): string => groupDigits(String(count));

/** Up to as many GPUs of a type, as one machine has, the counts say more than the word of a service for its stock. */
const FEW_GPUS = 16;

/** Whether the count of all GPUs of a type is known, and so small that no word for the stock is needed beside it. */
export const areCountsEnough = (totalCount: number): boolean => totalCount > 0 && totalCount <= FEW_GPUS;

/** Numbers of which a person chooses one: "1, 2 or 4"; empty for none. */
export const formatChoice = (counts: readonly number[]): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(counts.map(formatCount));

/** Bytes in the 1024-based sense of the payload limits: "812 B", "1.2 KB", "3.4 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${short(bytes / 1024)} KB`;
  return `${short(bytes / (1024 * 1024))} MB`;
}

/** Sizes of memory and disks, 1024-based as GPUs are sold: "812 MB", "17.2 GB", "1.8 TB". */
export function formatMemory(bytes: number): string {
  const megabytes = bytes / (1024 * 1024);
  if (megabytes < 999.5) return `${Math.round(megabytes)} MB`;
  const gigabytes = megabytes / 1024;
  if (gigabytes < 999.5) return `${gigabytes < 99.95 ? gigabytes.toFixed(1) : Math.round(gigabytes)} GB`;
  return `${(gigabytes / 1024).toFixed(1)} TB`;
}

/** All the memory of a GPU, in GB of 1024³ bytes: "22.5 GB", "24 GB". The same on every page. */
export const formatGpuMemory = (gb: number): string => `${Number(gb.toFixed(1))} GB`;

/** A part of a memory in the unit of the whole: "11.7 of 22.5 GB", "0.0 of 22.5 GB". */
export function formatMemoryOf(bytes: number, ofBytes: number): string {
  const whole = formatMemory(ofBytes);
  const exponent = ['MB', 'GB', 'TB'].findIndex((unit) => whole.endsWith(unit)) + 2;
  const part = bytes / 1024 ** exponent;
  return t`${part >= 99.95 || exponent === 2 ? Math.round(part) : part.toFixed(1)} of ${whole}`;
}

/** Sizes of files and what was done of them: "812 B", "3.4 MB", "17.2 GB". */
export const formatFileSize = (bytes: number): string =>
  bytes < 999.5 * 1024 * 1024 ? formatBytes(bytes) : formatMemory(bytes);

/** A share: "78 %". */
export const formatPercent = (value: number): string => `${Math.round(value)} %`;

const short = (value: number): string => (value < 9.95 ? value.toFixed(1) : String(Math.round(value)));

/** Below this, a moment in the past is "just now". */
const JUST_NOW = 45_000;

export const isJustNow = (at: number, now: number): boolean => now - at < JUST_NOW;

/** A duration in one unit: "2 min", "3 h", "5 d". */
export function formatRoughly(ms: number): string {
  if (ms < HOUR) return `${Math.max(1, Math.round(ms / MINUTE))} min`;
  if (ms < DAY) return `${Math.round(ms / HOUR)} h`;
  return `${Math.round(ms / DAY)} d`;
}

/** A moment in the past: "just now", "2 min ago", "3 h ago", "5 d ago". The one way to write how long ago it was. */
export const formatAgo = (at: number, now: number): string =>
  isJustNow(at, now) ? t`just now` : t`${formatRoughly(now - at)} ago`;

/** As `formatAgo` within a week; before that the date, such as "3 Nov 2025". */
export const formatSince = (at: number, now: number): string =>
  now - at < 7 * DAY ? formatAgo(at, now) : formatDate(at);

/*
 * All dates and times of day of the page are written below. They are in the time zone of the person, in the way of the
 * language of the system, which also decides between 12 and 24 hours. Billing has its days and hours in UTC. `at`:
 * milliseconds since the epoch.
 *
 * One view writes its times in one way:
 * - The lines of a log, what stands between them, and the events of a Pod have stamps: always 24 hours, with
 *   milliseconds, so that they align and can be compared. `formatStamp`, `formatStampWhen`; `formatFullStamp` on hover.
 * - The rows of a list of many things say how long ago it was: `formatAgo`, with `formatMoment` on hover.
 * - Facts and sentences about one thing say when it was: `formatWhen`. A fact has `formatMoment` on hover.
 */
const dates = (options: Intl.DateTimeFormatOptions): ((at: number) => string) => {
  let format: Intl.DateTimeFormat | undefined;
  return (at) => {
    // Made at the first use: all of them together would hold up the start of the page.
    format ??= new Intl.DateTimeFormat(undefined, options);
    return format.format(at);
  };
};
const utc = (options: Intl.DateTimeFormatOptions) => dates({ ...options, timeZone: 'UTC' });

/** The time of day: "14:05". */
export const formatClock = dates({ timeStyle: 'short' });

/** The time of day with its seconds: "14:05:09". */
export const formatTime = dates({ timeStyle: 'medium' });

/** The date: "3 Nov 2025". */
export const formatDate = dates({ dateStyle: 'medium' });

/** The date and the time of day. */
export const formatMoment = dates({ dateStyle: 'medium', timeStyle: 'medium' });

/** The day: "Sunday, 22 November". */
export const formatDay = dates({ weekday: 'long', day: 'numeric', month: 'long' });

/** The day in few characters: "22 Nov". */
export const formatShortDay = dates({ month: 'short', day: 'numeric' });

const weekday = dates({ weekday: 'short' });

/** The time of day; with the day of the week if it is more than 24 hours away: "Sun 14:05". */
export const formatClockNear = (at: number, now: number): string =>
  Math.abs(at - now) < 86_400_000 ? formatClock(at) : `${weekday(at)} ${formatClock(at)}`;

const isSameDay = (at: number, now: number): boolean => new Date(at).toDateString() === new Date(now).toDateString();

/** A moment in a sentence: on the day of `now` its time alone, on another day as `formatMoment`. */
export const formatWhen = (at: number, now: number = Date.now()): string =>
  isSameDay(at, now) ? formatTime(at) : formatMoment(at);

const stamp = {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
} as const;

/** The stamp of a line of a log: "14:05:09.123". */
export const formatStamp = dates(stamp);

/** The stamp of an event; with its day, if that is not the day of `now`: "22 Nov, 14:05:09.123". */
export const formatStampWhen = (at: number, now: number = Date.now()): string =>
  isSameDay(at, now) ? formatStamp(at) : `${formatShortDay(at)}, ${formatStamp(at)}`;

/** A stamp with its day and its time zone. */
export const formatFullStamp = dates({
  weekday: 'short',
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  ...stamp,
  timeZoneName: 'short',
});

/** As the functions without "Utc", for times that are shown in UTC. */
export const formatUtcClock = utc({ timeStyle: 'short' });
export const formatUtcDate = utc({ dateStyle: 'medium' });
export const formatUtcHour = utc({ dateStyle: 'medium', timeStyle: 'short' });
export const formatUtcShortDay = utc({ month: 'short', day: 'numeric' });

const ISO_MOMENT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** A sentence of an engine with its moments ("2026-03-01T12:00:00.000Z") as `formatWhen` has them. */
export const withMoments = (text: string): string =>
  text.replace(ISO_MOMENT, (iso) => (Number.isNaN(Date.parse(iso)) ? iso : formatWhen(Date.parse(iso))));
