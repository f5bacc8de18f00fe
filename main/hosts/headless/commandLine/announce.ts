/** The output of the headless host: one JSON object on each line for programs, or a few lines for a person. */
import { limits } from '#contract/core/limits.ts';

export interface Facts {
  version: string;
  api: string;
  /** The sign-in link; null without a page. */
  ui: string | null;
  apiKey: string;
  /** Whether the person chose the key; otherwise it is valid only for this run. */
  isOwnKey: boolean;
  /** The same page and API for other computers, if Hangar listens for them at an address of its own. */
  elsewhere: { ui: string | null; api: string } | null;
  /** The command that brings both to the computer from which a person has logged in over SSH; null without SSH. */
  tunnel: string | null;
  /** The key that the very first start creates. */
  firstKey: string | null;
  dataDir: string;
  /** Whether Enter prints a new link. */
  canAsk: boolean;
}

export function jsonLines({ api, ui, apiKey, dataDir, firstKey }: Facts): string {
  const ready = JSON.stringify({ event: 'ready', api, ui, apiKey, dataDir, pid: process.pid });
  return firstKey === null ? `${ready}\n` : `${ready}\n${JSON.stringify({ event: 'first-key', apiKey: firstKey })}\n`;
}

/** One key: the one that the scripts of a person use. A person who starts Hangar again has one from before. */
function keyLines(apiKey: string, isOwnKey: boolean, firstKey: string | null): string[] {
  const line = (key: string, use: string) => [`  API key    ${key}`, `             ${use}`];
  if (isOwnKey) return line(apiKey, 'for your scripts; from HANGAR_API_KEY');
  if (firstKey !== null) return line(firstKey, 'for your scripts; it stays valid. Copy it now: it is not shown again');
  return line(apiKey, 'valid until Hangar stops. One that stays valid: in the window, Settings, Keys');
}

/** What an address is on other computers, below the one that works on this computer. */
const elsewhereLine = (address: string): string => `             on other computers: ${address}`;

export function forPerson(facts: Facts): string {
  const { version, api, ui, elsewhere, tunnel, apiKey, isOwnKey, firstKey, dataDir, canAsk } = facts;
  const lines = [`Hangar ${version} is running.`, ''];
  if (ui !== null) {
    lines.push(`  Open it    ${ui}`);
    if (typeof elsewhere?.ui === 'string') lines.push(elsewhereLine(elsewhere.ui));
    lines.push(`             ${canAsk ? 'the link works once; press Enter for another' : 'the link works once'}`);
  }
  lines.push(`  API        ${api}`);
  if (elsewhere !== null) lines.push(elsewhereLine(elsewhere.api));
  lines.push(...keyLines(apiKey, isOwnKey, firstKey));
  lines.push(`  Data       ${dataDir}`);
  if (tunnel !== null) {
    const use = ui === null ? 'the API is there, too' : 'then open the link there';
    lines.push('', `You are here over SSH. Run this on your own computer, ${use}:`, `  ${tunnel}`);
  }
  lines.push('', 'Ctrl+C stops it.', '');
  return lines.join('\n');
}

const REQUEUED = `Jobs that do not end within ${limits.workerGraceMs / 1000} s go back to the queue.`;

/** Said at the first signal. */
export const STOPPING = 'Stopping.';

/** Said behind it. `work`: what the stop interrupts, such as "1 job"; null if that is not known in time. */
export function stoppingDetails(work: readonly string[] | null, signal: NodeJS.Signals): string {
  const sentences = [''];
  if (work === null) sentences.push(REQUEUED);
  else if (work.length > 0) {
    sentences.push(`Now running: ${work.join(', ')}.`);
    if (work.some((one) => /\bjobs?$/.test(one))) sentences.push(REQUEUED);
  }
  if (signal === 'SIGINT') sentences.push('Press Ctrl+C again to stop at once.');
  return `${sentences.join(' ')}\n`;
}

/** `elsewhere`: the same link for other computers, or null. */
export const anotherLink = (link: string, elsewhere: string | null): string =>
  [
    '',
    'A new sign-in link (it works once):',
    `  ${link}`,
    ...(elsewhere === null ? [] : [`  on other computers: ${elsewhere}`]),
    '',
  ].join('\n');
