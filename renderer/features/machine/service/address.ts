/** Who can reach an engine at its address. */
import { isEveryNetwork, isLoopbackName } from '#contract/network/hosts.ts';
import { t } from '../../../language/text.ts';

/** `loopback`: only programs on that machine. `all`: every network of the machine. */
export function networkScopeOf(address: string): 'loopback' | 'all' | 'network' {
  const { hostname } = new URL(address);
  if (isLoopbackName(hostname)) return 'loopback';
  return isEveryNetwork(hostname) ? 'all' : 'network';
}

export const networkScopeLabels: Record<ReturnType<typeof networkScopeOf>, string> = {
  loopback: t`This computer only`,
  all: t`All networks of this computer; a key is required`,
  network: t`One network of this computer; a key is required`,
};
