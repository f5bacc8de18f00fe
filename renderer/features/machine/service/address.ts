/** Who can reach an engine at its address. */

const loopback = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;
const everywhere = /^(0\.0\.0\.0|\[::\])$/;

/** `loopback`: programs on that machine alone. `all`: it listens on every network that the machine is in. */
export function reachOf(address: string): 'loopback' | 'all' | 'network' {
  const { hostname } = new URL(address);
  if (loopback.test(hostname)) return 'loopback';
  return everywhere.test(hostname) ? 'all' : 'network';
}

export const reachWords: Record<ReturnType<typeof reachOf>, string> = {
  loopback: 'This computer only',
  all: 'Every network this computer is in; a key is needed',
  network: 'The network; a key is needed',
};
