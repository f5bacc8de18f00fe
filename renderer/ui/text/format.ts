/** Durations, sizes, counts and times as a person reads them. */

const NARROW = '\u202f';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Milliseconds: "0.2 s", "38 s", "1 min 3 s", "2 h 5 min", "3 d 4 h". */
export function formatDuration(ms: number): string {
  const value = Math.max(0, ms);
  if (value < 9950) return `${(value / 1000).toFixed(1)} s`;
  if (value < MINUTE - 500) return `${Math.round(value / 1000)} s`;
  if (value < HOUR) return twoUnits(value, MINUTE, 'min', 1000, 's');
  if (value < 2 * DAY) return twoUnits(value, HOUR, 'h', MINUTE, 'min');
  return twoUnits(value, DAY, 'd', HOUR, 'h');
}

/** A length of time that somebody set: as `formatDuration`, and "5 s" instead of "5.0 s". */
export const formatSetting = (ms: number): string => formatDuration(ms).replace('.0 s', ' s');

function twoUnits(ms: number, large: number, largeName: string, small: number, smallName: string): string {
  const parts = Math.round(ms / small);
  const perLarge = large / small;
  const rest = parts % perLarge;
  const head = `${Math.floor(parts / perLarge)} ${largeName}`;
  return rest === 0 ? head : `${head} ${rest} ${smallName}`;
}

/** A whole number with groups of three: "1 204". */
export const formatCount = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, NARROW);

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

/** A share: "78 %". */
export const formatPercent = (value: number): string => `${Math.round(value)} %`;

const short = (value: number): string => (value < 9.95 ? value.toFixed(1) : String(Math.round(value)));

/** How long ago: "now", "2 min", "3 h", "5 d". */
export function formatAgo(at: number, now: number): string {
  const ms = now - at;
  if (ms < 45_000) return 'now';
  if (ms < HOUR) return `${Math.max(1, Math.round(ms / MINUTE))} min`;
  if (ms < DAY) return `${Math.round(ms / HOUR)} h`;
  return `${Math.round(ms / DAY)} d`;
}

const clockFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** The moment itself, in the person's zone. */
export const formatMoment = (at: number): string => clockFormat.format(at);

const timeFormat = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

/** Its time of day: "14:05". */
export const formatClock = (at: number): string => timeFormat.format(at);
