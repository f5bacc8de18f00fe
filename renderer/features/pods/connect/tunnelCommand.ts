/** The command with which a browser on another computer reaches addresses that exist on the computer of Hangar only. */
import { THIS_MACHINE } from '#contract/app/account.ts';
import { isLocalAddress, type PodPort } from '../podState.ts';

/** `127.0.0.1:49153`, as a tcp port of a Pod of this computer is shown. */
const TCP = /^127\.0\.0\.1:(\d+)$/;

/** The port on the computer of Hangar; null for an address that leads elsewhere. */
function localPort(accountId: string, { type, address }: PodPort): string | null {
  if (address === null) return null;
  if (type === 'http') return isLocalAddress(address) ? new URL(address).port : null;
  // That of another Hangar is one of its own computer.
  return accountId === THIS_MACHINE ? (TCP.exec(address)?.[1] ?? null) : null;
}

/**
 * Forwards the ports of a Pod over SSH; null if none is local. The ports keep their numbers, so the shown addresses hold.
 *
 * @param computer The host name of this page, which is one of the computer of Hangar.
 */
export function tunnelCommand(accountId: string, ports: readonly PodPort[], computer: string): string | null {
  const local = new Set(ports.flatMap((port) => localPort(accountId, port) ?? []));
  if (local.size === 0) return null;
  const forwards = [...local].map((port) => `-L ${port}:127.0.0.1:${port}`).join(' ');
  return `ssh -N ${forwards} ${computer.replace(/^\[|\]$/g, '')}`;
}
