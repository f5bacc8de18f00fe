/** The ways of the tunnel to http ports of Pods: with which key to which engine. */
import type { Account } from '#contract/app/account.ts';
import { isLoopbackHost } from '#contract/network/hosts.ts';
import type { AccountRepository } from '../../accounts/repository.ts';
import type { PodTunnelAddress } from '../../compute/v1/pods.ts';
import type { EngineProcess } from '../../engine/engineProcess.ts';
import type { PodTunnel, TunnelRoute } from '../../tunnel/podTunnel.ts';
import { thisMachine } from '../localAccount.ts';

/**
 * Of this machine. Its engine tells names of loopback, which a browser here opens without a tunnel. An engine that
 * listens at one address of a network only is not at these names.
 */
export function tunnelHere(
  tunnel: Pick<PodTunnel, 'address'>,
  engine: Pick<EngineProcess, 'status'>,
  runKey: string,
): PodTunnelAddress {
  return async (port) => {
    const { address } = engine.status;
    if (address === null || isLoopbackHost(new URL(address).hostname)) return port.address;
    const { name } = thisMachine(engine.status);
    const isCurrent = (): boolean => engine.status.address === address;
    return tunnel.address({ name, engine: address, key: async () => runKey, isCurrent }, port);
  };
}

/**
 * Of a remote account; null if it has no address for Pods.
 *
 * @param key Resolves with its key. Rejects with AppError if there is none, or if it cannot be read.
 */
export function tunnelTo(
  tunnel: Pick<PodTunnel, 'address'>,
  { id, name, addresses: { management } }: Account,
  accounts: Pick<AccountRepository, 'find'>,
  key: () => Promise<string>,
): PodTunnelAddress | null {
  if (management === null) return null;
  const isCurrent = (): boolean => accounts.find(id)?.addresses.management === management;
  const route: TunnelRoute = { name, engine: management, key, isCurrent };
  return (port) => tunnel.address(route, port);
}
