/** Turns the log lines of app and engine, JSON by pino, into lines for a person. */

import { prettyFactory } from 'pino-pretty';

const pretty = prettyFactory({
  colorize: process.stdout.isTTY,
  translateTime: 'SYS:HH:MM:ss.l',
  ignore: 'pid,hostname',
  singleLine: true,
});

/**
 * One line of a log, with its line end: time, level, program, message, and the other fields behind it. A line that is
 * not JSON, such as a warning of Node, is answered unchanged.
 * @param {string} line
 * @param {number | undefined} appPid Lines with this process id are the app's, all others the engine's.
 */
export function readable(line, appPid) {
  if (!line.startsWith('{')) return `${line}\n`;
  try {
    /** @type {{ pid?: number }} */
    const entry = JSON.parse(line);
    return pretty({ ...entry, name: entry.pid === appPid ? 'app' : 'engine' });
  } catch {
    // The line is not JSON: it is printed as it is.
    return `${line}\n`;
  }
}
