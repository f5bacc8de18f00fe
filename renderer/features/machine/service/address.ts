/** Who can reach an engine at its address. */
import { t } from '../../../language/text.ts';

const loopback = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;
const everywhere = /^(0\.0\.0\.0|\[::\])$/;

/** `loopback`: only programs on that machine. `all`: every network of the machine. */
export function networkScopeOf(address: string): 'loopback' | 'all' | 'network' {
  const { hostname } = new URL(address);
  if (loopback.test(hostname)) return 'loopback';
  return everywhere.test(hostname) ? 'all' : 'network';
}

export const networkScopeLabels: Record<ReturnType<typeof networkScopeOf>, string> = {
  loopback: t`This computer only`,
  all: t`All networks of this computer; a key is required`,
  network: t`One network of this computer; a key is required`,
};
