/** What a browser is called, for a person. */
import { t } from '../../../language/text.ts';

/** The first that fits decides: most browsers also name those that they resemble. */
const browsers: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Headless)?(?:Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: readonly [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const nameIn = (names: readonly [RegExp, string][], program: string): string | undefined =>
  names.find(([sign]) => sign.test(program))?.[1];

/** `program`: its `User-Agent`; null if it is not known. "Firefox on Linux", "Chrome", "A browser". */
export function browserName(program: string | null): string {
  const [browser, system] = [nameIn(browsers, program ?? ''), nameIn(systems, program ?? '')];
  if (browser === undefined) return system === undefined ? t`A browser` : t`A browser on ${system}`;
  return system === undefined ? browser : t`${browser} on ${system}`;
}
