/** Finds the Chromium that browser tests run on, and how to start it. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';

const PLACES = {
  linux: [
    // The same engine without the window, whose toolbar alone is a page of its own beside each page of a test.
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
    '/snap/bin/chromium',
  ],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: [process.env['ProgramFiles'], process.env['ProgramFiles(x86)'], process.env['LOCALAPPDATA']]
    .filter((folder) => folder !== undefined)
    .map((folder) => join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe')),
};

/** The browser's program: what `HANGAR_CHROMIUM` names, or the first one found where systems usually keep it. */
export function findChromium() {
  const named = process.env['HANGAR_CHROMIUM'];
  if (named !== undefined && named !== '') return named;
  const places = PLACES[/** @type {keyof typeof PLACES} */ (process.platform)] ?? [];
  return places.find((place) => existsSync(place));
}

/** Root has no sandbox to give, and a test's browser has nothing to tell anybody. */
export const chromiumFlags = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
