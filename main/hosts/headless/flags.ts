/** The flags of the headless host: their names, defaults and error messages. */
import { homedir } from 'node:os';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { logLevels, type LogLevel } from '#contract/local/log.ts';
import { streamAnswers, type StreamAnswer } from '#contract/local/settings.ts';

export interface Flags {
  dataDir: string;
  port: number;
  /** Null with --no-ui. */
  uiPort: number | null;
  host: string;
  json: boolean;
  logLevel: LogLevel;
  /** Null where the settings of the engine hold. */
  streamAnswer: StreamAnswer | null;
}

/** A flag that is wrong; the message is one line for a person. */
export class FlagError extends Error {
  override readonly name = 'FlagError';
}

export const help = `Serves Hangar without a window: the API and the interface, on this machine only.

  --data-dir DIR   everything it writes lies below this folder
  --port N         port of the API (default 47800; 0 = any free one)
  --ui-port N      port of the interface (default 47801; 0 = any free one)
  --no-ui          the API only
  --host ADDR      address to listen on (default 127.0.0.1); any other needs --allow-lan
  --allow-lan      other machines may reach it: they need the API key, or the pairing link
  --stream-answer auto|array|envelope
                   what /stream answers in this run: a list of chunks, an envelope with the job's
                   status, or (auto) what the client that asks is known to read; see the settings
  --json           the first line on standard output is a JSON object with the addresses and the key
  --help           this text

HANGAR_HOME sets the default data folder, HANGAR_API_KEY the API key of this run. HANGAR_KEYS says where keys of accounts are
kept until somebody has chosen: keychain, file (encrypted), or memory; HANGAR_PASSPHRASE_FILE names a file, or /dev/fd/N, with
the passphrase of the encrypted file, HANGAR_PASSPHRASE is that passphrase. HANGAR_LOG_LEVEL says how much goes into the logs:
debug, info (the default), warn, or error.
`;

type Environment = Readonly<Record<string, string | undefined>>;

/** Where state lives on each system, unless HANGAR_HOME says otherwise. */
export function defaultDataDir(env: Environment, platform: string = process.platform): string {
  if (env['HANGAR_HOME']) return resolve(env['HANGAR_HOME']);
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Hangar', 'state');
  if (platform === 'win32') {
    return join(env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'Hangar', 'state');
  }
  return join(env['XDG_STATE_HOME'] ?? join(homedir(), '.local', 'state'), 'hangar');
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

function portOf(flag: string, text: string | undefined, usual: number): number {
  if (text === undefined) return usual;
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new FlagError(`${flag} must be a whole number from 0 to 65535, not "${text}".`);
}

function logLevelIn(env: Environment): LogLevel {
  const text = env['HANGAR_LOG_LEVEL'] || 'info';
  const level = logLevels.find((one) => one === text);
  if (level !== undefined) return level;
  throw new FlagError(`HANGAR_LOG_LEVEL must be ${logLevels.join(', ')}, not "${text}".`);
}

function streamAnswerOf(text: string | undefined): StreamAnswer | null {
  if (text === undefined) return null;
  const answer = streamAnswers.find((one) => one === text);
  if (answer !== undefined) return answer;
  throw new FlagError(`--stream-answer must be ${streamAnswers.join(', ')}, not "${text}".`);
}

/** Answers 'help' when that is what was asked for. Throws FlagError. */
export function readFlags(args: readonly string[], env: Environment): Flags | 'help' {
  let values;
  try {
    values = parseArgs({
      args: [...args],
      options: {
        'data-dir': { type: 'string' },
        port: { type: 'string' },
        'ui-port': { type: 'string' },
        'no-ui': { type: 'boolean' },
        host: { type: 'string' },
        'allow-lan': { type: 'boolean' },
        'stream-answer': { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (thrown) {
    const line = thrown instanceof Error ? thrown.message.split(/\.\s|\n/)[0] : String(thrown);
    throw new FlagError(`${line}. See --help.`);
  }
  if (values.help) return 'help';
  const host = values.host ?? '127.0.0.1';
  if (host !== 'localhost' && isIP(host) === 0) {
    throw new FlagError(`--host must be an IP address of this machine or "localhost", not "${host}".`);
  }
  if (!isLoopback(host) && !values['allow-lan']) {
    throw new FlagError(`--host ${host} lets other machines reach Hangar; add --allow-lan if that is what you want.`);
  }
  const port = portOf('--port', values.port, 47_800);
  const uiPort = values['no-ui'] ? null : portOf('--ui-port', values['ui-port'], 47_801);
  if (port !== 0 && port === uiPort) throw new FlagError(`--port and --ui-port must differ; both are ${port}.`);
  return {
    dataDir: values['data-dir'] === undefined ? defaultDataDir(env) : resolve(values['data-dir']),
    port,
    uiPort,
    host,
    json: values.json ?? false,
    logLevel: logLevelIn(env),
    streamAnswer: streamAnswerOf(values['stream-answer']),
  };
}
