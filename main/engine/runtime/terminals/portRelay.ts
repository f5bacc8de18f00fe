/**
 * Connections to TCP ports in a container, as its own programs reach them: also to a server that listens at 127.0.0.1
 * of the container only, and to a port that the container does not publish. A program of the image passes the bytes on.
 */
import { connect } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import type { Container } from 'dockerode';
import { AppError } from '#contract/core/errors.ts';
import { openProgram } from './program.ts';

export interface PortStream {
  readonly input: Writable;
  readonly output: Readable;
  /** Ends both directions at once. */
  close(): void;
}

/** What a relay writes before the bytes of the connection. */
const CONNECTED = 'ok\n';
const REFUSED = 9;
const NO_RELAY = 126;
/** How long a connection may take to open, milliseconds. */
const CONNECT_MS = 10_000;

const PYTHON = `
import os, socket, sys, threading
for host in ('127.0.0.1', '::1'):
    try:
        s = socket.create_connection((host, int(sys.argv[1])), 10)
        break
    except OSError:
        pass
else:
    sys.exit(${REFUSED})
s.settimeout(None)
s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
out = sys.stdout.buffer
out.write(b'ok\\n')
out.flush()
def up():
    try:
        while True:
            part = os.read(0, 65536)
            if not part: break
            s.sendall(part)
        s.shutdown(socket.SHUT_WR)
    except OSError:
        pass
threading.Thread(target=up, daemon=True).start()
try:
    while True:
        part = s.recv(65536)
        if not part: break
        out.write(part)
        out.flush()
except OSError:
    pass
os._exit(0)
`;

const BASH = `{ exec 3<>"/dev/tcp/127.0.0.1/$0" || exec 3<>"/dev/tcp/::1/$0"; } 2>/dev/null || exit ${REFUSED}
exec 4<&0
echo ok
cat <&4 >&3 &
cat <&3
kill $! 2>/dev/null
exit 0`;

/** `$0`: the port; `$1`: the same in hexadecimal, as in /proc; `$2`, `$3`: the scripts for Python and for bash. */
const RELAY = `has() { command -v "$1" >/dev/null 2>&1; }
if has python3; then exec python3 -I -S -c "$2" "$0"; fi
if has bash && has cat; then exec bash -c "$3" "$0"; fi
n=
if has nc; then n=nc; elif has busybox && busybox nc --help 2>&1 | grep -q 'nc '; then n='busybox nc'; fi
[ -n "$n" ] || exit ${NO_RELAY}
grep -qi ":$1 [0-9a-f]*:0000 0a " /proc/net/tcp /proc/net/tcp6 2>/dev/null || exit ${REFUSED}
echo ok
exec $n 127.0.0.1 "$0"`;

const hexOf = (port: number): string => port.toString(16).padStart(4, '0');

/** Reads the sign of a connection, and leaves what follows in the stream. False if the stream ends without it. */
function readSign(output: Readable): Promise<boolean> {
  return new Promise((resolve) => {
    let read = Buffer.alloc(0);
    const done = (isConnected: boolean): void => {
      output.off('readable', onReadable).off('end', onEnd).off('close', onEnd);
      resolve(isConnected);
    };
    const onEnd = (): void => done(false);
    const onReadable = (): void => {
      for (let part: unknown; (part = output.read()) !== null;) {
        if (Buffer.isBuffer(part)) read = Buffer.concat([read, part]);
      }
      if (read.length < CONNECTED.length) return;
      const rest = read.subarray(CONNECTED.length);
      if (rest.length > 0) output.unshift(rest);
      done(read.subarray(0, CONNECTED.length).toString() === CONNECTED);
    };
    output.on('readable', onReadable).on('end', onEnd).on('close', onEnd);
  });
}

/** The port of this machine at which the container publishes `port`; null if it does not. */
async function publishedAt(container: Container, port: number): Promise<{ host: string; port: number } | null> {
  const { NetworkSettings } = await container.inspect();
  const [first] = NetworkSettings.Ports[`${port}/tcp`] ?? [];
  if (first === undefined) return null;
  const host = ['', '0.0.0.0', '::'].includes(first.HostIp) ? '127.0.0.1' : first.HostIp;
  return { host, port: Number(first.HostPort) };
}

const refused = (port: number): AppError =>
  new AppError('UPSTREAM', `Nothing listens at port ${port} in the Pod. Start its server, or choose another port.`);

function connectTo(at: { host: string; port: number }, port: number): Promise<PortStream> {
  return new Promise((resolve, reject) => {
    const socket = connect({ ...at, allowHalfOpen: true });
    socket.setTimeout(CONNECT_MS, () => socket.destroy(new Error('no answer')));
    socket.once('error', () => reject(refused(port)));
    socket.once('connect', () => {
      socket.setTimeout(0).setNoDelay(true);
      socket.on('error', () => undefined);
      resolve({ input: socket, output: socket, close: () => socket.destroy() });
    });
  });
}

/**
 * Opens a connection to a port of a running container.
 *
 * @param id - Marks the processes of the relay: lower-case letters and digits.
 * @throws UPSTREAM in words for a person if nothing listens there, or if the image has no program to pass bytes on and
 *   the port is not published.
 */
export async function openPort(container: Container, port: number, id: string): Promise<PortStream> {
  const command = ['sh', '-c', RELAY, String(port), hexOf(port), PYTHON, BASH];
  const program = await openProgram({ container, id, command, env: [], terminal: null }).catch(() => null);
  if (program !== null) {
    program.errors?.resume();
    if (await readSign(program.output)) {
      return { input: program.input, output: program.output, close: program.hangUp };
    }
    program.output.resume();
    if ((await program.ended) === REFUSED) throw refused(port);
  }
  const published = await publishedAt(container, port);
  if (published !== null) return connectTo(published, port);
  const advice = `Add ${port}/tcp to the ports of the Pod, or use an image that has python3, bash or nc.`;
  throw new AppError('UPSTREAM', `The image of the Pod has no program that reaches port ${port} in it. ${advice}`);
}
