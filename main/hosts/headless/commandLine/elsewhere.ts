/** How other computers reach this Hangar: at an address of this computer, or through a tunnel over SSH. */
import { userInfo } from 'node:os';
import { reachableEngine } from '../../../app/accounts/reachable.ts';

/** The same address for other computers; null if Hangar does not listen for them, or if it is the address already. */
export function addressElsewhere(address: string, host: string): string | null {
  const { addresses, isOpen } = reachableEngine(address, host);
  const { pathname, search } = new URL(address);
  const other = `${addresses[0]}${pathname === '/' && search === '' ? '' : `${pathname}${search}`}`;
  return isOpen && other !== address ? other : null;
}

/**
 * The command for the computer from which the person has logged in, by the variable that an SSH server sets: the
 * addresses and ports of both sides. Null in any other session.
 */
export function tunnelCommand(sshConnection: string | undefined, addresses: readonly string[]): string | null {
  const [, , host, sshPort] = sshConnection?.split(' ') ?? [];
  if (host === undefined || sshPort === undefined) return null;
  const ways = addresses.map((address) => new URL(address).port).map((port) => `-L ${port}:127.0.0.1:${port}`);
  const place = `${userInfo().username}@${host}`;
  return ['ssh -N', ...ways, ...(sshPort === '22' ? [] : [`-p ${sshPort}`]), place].join(' ');
}
