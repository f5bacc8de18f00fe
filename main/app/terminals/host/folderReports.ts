/** The folder that a shell reports by itself in its output (OSC 7), as many shells do at each prompt. */
import { hostname } from 'node:os';

/** A longer report is not one of a folder, in characters. */
const LONGEST = 4096;
const START = '\u001b]7;';
/** Reports end with BEL or with ST. */
const REPORT = /\u001b\]7;([^\u0007\u001b]*)(?:\u0007|\u001b\\)/g;

export interface FolderReports {
  /** Takes output as it comes, cut anywhere. */
  take(bytes: Buffer): void;
  /** The last reported folder of this computer; null if there was none. */
  folder(): string | null;
}

/** The path of a report; null for another computer, such as one that the shell has reached by SSH. */
function folderOf(address: string): string | null {
  try {
    const url = new URL(address);
    const isHere = ['', 'localhost', hostname().toLowerCase()].includes(url.hostname.toLowerCase());
    return url.protocol === 'file:' && isHere ? decodeURIComponent(url.pathname) : null;
  } catch {
    // It is no address, or its path is not UTF-8.
    return null;
  }
}

/** The report at the end of the output that is not complete yet, or the beginning of its mark; empty if there is none. */
function openEnd(text: string): string {
  const at = text.lastIndexOf(START);
  const report = at === -1 ? '' : text.slice(at);
  if (report !== '' && report.search(REPORT) === -1) return report.length <= LONGEST ? report : '';
  return [3, 2, 1].map((length) => START.slice(0, length)).find((mark) => text.endsWith(mark)) ?? '';
}

export function createFolderReports(): FolderReports {
  let folder: string | null = null;
  /** The beginning of a report whose end has not come yet. */
  let rest = '';
  return {
    take(bytes) {
      if (rest === '' && !bytes.includes(0x1b)) return;
      const text = rest + bytes.toString('latin1');
      for (const [, address = ''] of text.matchAll(REPORT)) folder = folderOf(address) ?? folder;
      rest = openEnd(text);
    },
    folder: () => folder,
  };
}
