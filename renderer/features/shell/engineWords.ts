/** The engine's state in words and tones. */
import type { EngineStatus } from '#contract/app/account.ts';

export interface Words {
  word: string;
  tone: 'ok' | 'wait' | 'bad' | 'off';
}

const words: Record<EngineStatus['state'], Words> = {
  ready: { word: 'ready', tone: 'ok' },
  starting: { word: 'starting', tone: 'wait' },
  restarting: { word: 'restarting', tone: 'wait' },
  stopped: { word: 'stopped', tone: 'off' },
  failed: { word: 'failed', tone: 'bad' },
};

export function engineWords(status: EngineStatus | null, connected: boolean): Words {
  if (!connected || status === null) return { word: 'not connected', tone: 'off' };
  // It is there, and stands still.
  if (status.state === 'ready' && !status.answers) return { word: 'does not answer', tone: 'bad' };
  return words[status.state];
}

/** "127.0.0.1:47800": the scheme is always the same and only takes room. */
export const shortAddress = (address: string): string => address.replace(/^https?:\/\//, '');
