/** Tells requests of programs on this machine from those of other machines. */
const LOOPBACK = /^(?:::1|(?:::ffff:)?127(?:\.\d{1,3}){3})$/i;

/**
 * Whether a request came over loopback. The address of the connection decides, and no header: a caller can write any
 * header. A connection to another address of this machine, and a connection that has ended, are none of loopback.
 */
export const cameOverLoopback = ({ socket }: { socket: { remoteAddress?: string | undefined } }): boolean =>
  LOOPBACK.test(socket.remoteAddress ?? '');
