/** Tells requests of programs on this machine from those of other machines. */
import { isLoopbackConnection } from '#contract/network/hosts.ts';

/**
 * Whether a request came over loopback. The address of the connection decides, and no header: a caller can write any
 * header. A connection to another address of this machine, and a connection that has ended, are none of loopback.
 */
export const cameOverLoopback = ({ socket }: { socket: { remoteAddress?: string | undefined } }): boolean =>
  isLoopbackConnection(socket.remoteAddress ?? '');
