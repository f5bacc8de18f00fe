/** The engine's state in words and tones. */
import type { EngineStatus } from '#contract/app/account.ts';
import type { ConnectionStatus } from '../../client/transport/connection.ts';
import { t } from '../../language/text.ts';

export interface Words {
  word: string;
  tone: 'ok' | 'wait' | 'bad' | 'off';
}

const words: Record<EngineStatus['state'], Words> = {
  ready: { word: t`ready`, tone: 'ok' },
  starting: { word: t`starting`, tone: 'wait' },
  restarting: { word: t`restarting`, tone: 'wait' },
  stopped: { word: t`stopped`, tone: 'off' },
  failed: { word: t`failed`, tone: 'bad' },
};

/** `status`: null before its first report. `connection`: that of the page to the app, which reports it. */
export function engineWords(status: EngineStatus | null, connection: ConnectionStatus['state']): Words {
  if (connection === 'lost') return { word: t`not connected`, tone: 'off' };
  if (connection === 'connecting' || status === null) return { word: t`connecting`, tone: 'wait' };
  // The process exists but hangs.
  if (status.state === 'ready' && status.silentSince !== null) return { word: t`does not answer`, tone: 'bad' };
  return words[status.state];
}

/** "127.0.0.1:47800": the scheme is always the same, so it is omitted. */
export const shortAddress = (address: string): string => address.replace(/^https?:\/\//, '');
