/** A host that the person's own `ssh` program reaches: a name of `~/.ssh/config`, or `user@host:port`. */

export interface SshDestination {
  /** `host` or `user@host`, as the program takes it. */
  target: string;
  /** Null: the port that the settings of the person name, or 22. */
  port: number | null;
}

/** The longest text of a destination, in characters. */
export const LONGEST_DESTINATION = 320;

/**
 * Neither the name of a user nor of a host has one of these. The person's settings may pass both to a shell
 * (`ProxyCommand`), and older versions of OpenSSH do not check them.
 */
const REFUSED = /[\s\p{Cc}'"`$;&<>|(){}*?!#,/]/u;

function isUser(text: string): boolean {
  return text !== '' && !text.startsWith('-') && !text.endsWith('\\') && !REFUSED.test(text);
}

function isHost(text: string): boolean {
  return text !== '' && !text.startsWith('-') && !REFUSED.test(text) && !/[@\\[\]]/.test(text);
}

function portOf(text: string): number | null {
  const port = Number(text);
  return /^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535 ? port : null;
}

/** The host and the port of `host`, `host:port`, `[address]:port` or an IPv6 address. Null if the port is none. */
function partsOf(text: string): { host: string; port: number | null } | null {
  const [, address = '', ofAddress] = /^\[([^\]]*)\](?::(.*))?$/.exec(text) ?? [];
  const colons = text.split(':').length - 1;
  if (address === '' && colons !== 1) return { host: text, port: null };
  const [host = '', port] = address === '' ? text.split(':') : [address, ofAddress];
  if (port === undefined) return { host, port: null };
  const number = portOf(port);
  return number === null ? null : { host, port: number };
}

/** Null for a text that is no destination, such as one that the program would read as an option. */
export function readSshDestination(text: string): SshDestination | null {
  if (text.length > LONGEST_DESTINATION) return null;
  // The name of a user may have an "@" itself.
  const at = text.lastIndexOf('@');
  const user = at === -1 ? null : text.slice(0, at);
  const parts = partsOf(text.slice(at + 1));
  if (parts === null || !isHost(parts.host) || (user !== null && !isUser(user))) return null;
  return { target: user === null ? parts.host : `${user}@${parts.host}`, port: parts.port };
}
