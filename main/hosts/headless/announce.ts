/** What the headless host prints on standard output: one JSON object a line for programs, or a few lines for a person. */

export interface Facts {
  version: string;
  api: string;
  /** The pairing link; null without an interface. */
  ui: string | null;
  apiKey: string;
  /** Whether the person gave the key; otherwise it is good for this run only. */
  isOwnKey: boolean;
  /** The key made at the very first start. */
  firstKey: string | null;
  dataDir: string;
  /** Whether Enter prints a new link. */
  canAsk: boolean;
}

export function jsonLines({ api, ui, apiKey, dataDir, firstKey }: Facts): string {
  const ready = JSON.stringify({ event: 'ready', api, ui, apiKey, dataDir, pid: process.pid });
  return firstKey === null ? `${ready}\n` : `${ready}\n${JSON.stringify({ event: 'first-key', apiKey: firstKey })}\n`;
}

export function forPerson({ version, api, ui, apiKey, isOwnKey, firstKey, dataDir, canAsk }: Facts): string {
  const lines = [`Hangar ${version} is running.`, ''];
  if (ui !== null) {
    lines.push(`  Open it    ${ui}`);
    lines.push(`             ${canAsk ? 'the link works once; press Enter for another' : 'the link works once'}`);
  }
  lines.push(`  API        ${api}`);
  lines.push(`  API key    ${apiKey}`);
  lines.push(`             ${isOwnKey ? 'from HANGAR_API_KEY' : 'good until Hangar stops'}`);
  lines.push(`  Data       ${dataDir}`);
  if (firstKey !== null) {
    lines.push('', `  First start: this key stays good. Keep it, it is not shown again:`, `             ${firstKey}`);
  }
  lines.push('', 'Ctrl+C stops it.', '');
  return lines.join('\n');
}

export const anotherLink = (link: string): string => `\nA new pairing link (it works once):\n  ${link}\n`;
