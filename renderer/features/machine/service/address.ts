/** Who can reach an engine at its address. */
import { THIS_MACHINE } from '#contract/app/account.ts';
import { isEveryNetwork, isLoopbackName } from '#contract/network/hosts.ts';
import { t } from '../../../language/text.ts';

/** `loopback`: only programs on that machine. `all`: every network of the machine. */
export function networkScopeOf(address: string): 'loopback' | 'all' | 'network' {
  const { hostname } = new URL(address);
  if (isLoopbackName(hostname)) return 'loopback';
  return isEveryNetwork(hostname) ? 'all' : 'network';
}

const scopeWords: Record<ReturnType<typeof networkScopeOf>, string> = {
  loopback: t`This computer only`,
  all: t`All networks of this computer; a key is required`,
  network: t`One network of this computer; a key is required`,
};

/** For an engine on another computer. */
const remoteScopeWords: typeof scopeWords = {
  loopback: t`Its own computer only`,
  all: t`All networks of its computer; a key is required`,
  network: t`One network of its computer; a key is required`,
};

/** Who can reach the engine of an account at this address. */
export const networkScopeWords = (accountId: string, address: string): string =>
  (accountId === THIS_MACHINE ? scopeWords : remoteScopeWords)[networkScopeOf(address)];
