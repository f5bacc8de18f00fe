/** The flags of the headless host: their names, defaults and error messages. */
import { isIP } from 'node:net';
import { parseArgs } from 'node:util';
import { limits } from '#contract/core/limits.ts';
import { logLevels, type LogLevel } from '#contract/local/log.ts';
import { isLoopbackHost } from '#contract/network/hosts.ts';
import { streamAnswers, type StreamAnswer } from '#contract/local/settings.ts';
import { findDataFolder, type DataFolder } from '../../../app/platform/folders/dataFolder.ts';

export interface Flags extends DataFolder {
  port: number;
  /** Null with --no-ui. */
  uiPort: number | null;
  /** False with --no-shell. */
  allowsHostShell: boolean;
  host: string;
  json: boolean;
  logLevel: LogLevel;
  /** Null: the settings of the engine apply. */
  streamAnswer: StreamAnswer | null;
}

/** An invalid flag; the message is one line for a person. */
export class FlagError extends Error {
  override readonly name = 'FlagError';
}

export const help = `Serves Hangar without a window: the API and the interface, for this machine only.

  --data-dir DIR   folder for everything that Hangar writes
  --port N         port of the API (default 47800; 0 = any free one)
  --ui-port N      port of the interface (default 47801; 0 = any free one)
  --no-ui          the API only
  --no-shell       the interface opens no shells of this computer, and none of its files
  --host ADDR      address to listen on (default 127.0.0.1); others need --allow-lan
  --allow-lan      lets other machines reach Hangar; they need the API key or the sign-in link
  --stream-answer auto|array|envelope
                   the form of the answers of /stream in this run: a list of chunks, an envelope with
                   the status of the job, or (auto) the form that the client reads; see the settings
  --json           the first line on standard output is a JSON object with the addresses and the key
  --help           this text

Environment variables:
  HANGAR_HOME             the default data folder
  HANGAR_API_KEY          the API key of this run
  HANGAR_KEYS             where keys of accounts are stored until you choose a place in the settings:
                          keychain, file (encrypted), or memory
  HANGAR_PASSPHRASE_FILE  a file, or /dev/fd/N, with the passphrase of the encrypted file
  HANGAR_PASSPHRASE       the passphrase itself
  HANGAR_LOG_LEVEL        how much goes into the logs: debug, info (the default), warn, or error

From another computer, without --allow-lan: ssh -N -L 47801:127.0.0.1:47801 -L 47800:127.0.0.1:47800
USER@THIS_COMPUTER, then open the printed link there. Ctrl+C, SIGTERM or SIGHUP stops Hangar.
`;

type Environment = Readonly<Record<string, string | undefined>>;

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
  throw new FlagError(`HANGAR_LOG_LEVEL must be one of ${logLevels.join(', ')}, not "${text}".`);
}

function streamAnswerOf(text: string | undefined): StreamAnswer | null {
  if (text === undefined) return null;
  const answer = streamAnswers.find((one) => one === text);
  if (answer !== undefined) return answer;
  throw new FlagError(`--stream-answer must be one of ${streamAnswers.join(', ')}, not "${text}".`);
}

/** Returns 'help' for --help. Throws FlagError. */
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
        'no-shell': { type: 'boolean' },
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
  if (!isLoopbackHost(host) && !values['allow-lan']) {
    throw new FlagError(`--host ${host} lets other machines reach Hangar; add --allow-lan to allow this.`);
  }
  const port = portOf('--port', values.port, limits.usualPorts.api);
  const uiPort = values['no-ui'] ? null : portOf('--ui-port', values['ui-port'], limits.usualPorts.page);
  if (port !== 0 && port === uiPort) throw new FlagError(`--port and --ui-port must differ; both are ${port}.`);
  return {
    ...findDataFolder(values['data-dir'], env),
    port,
    uiPort,
    allowsHostShell: !values['no-shell'],
    host,
    json: values.json ?? false,
    logLevel: logLevelIn(env),
    streamAnswer: streamAnswerOf(values['stream-answer']),
  };
}
