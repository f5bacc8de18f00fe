/** The ports of a Pod as a person writes them. */
import { limits } from '#contract/core/limits.ts';
import { t } from '../../../language/text.ts';

const MOST = 65_535;
const KINDS = ['http', 'tcp'] as const;
const SSH_PORT = '22';

/** "8888/http" for "8888", and "22/tcp" for "22". Any other text stays as it is. */
export function completePort(text: string): string {
  const port = text.trim().toLowerCase().replace(/^:/, '');
  if (!/^\d+$/.test(port)) return port;
  return `${port}/${port === SSH_PORT ? 'tcp' : 'http'}`;
}

/** The ports of a Pod for those that its image says it listens on, such as "8000/tcp". A Pod has no UDP. */
export const portsOfImage = (exposed: readonly string[]): string[] =>
  exposed
    .filter((port) => /^\d+(?:\/tcp)?$/.test(port))
    .map((port) => completePort(port.replace('/tcp', '')))
    .slice(0, limits.pod.ports);

/**
 * What is wrong with a port, as a sentence; null if it is right. `isTyped`: it may be the beginning of one, such as
 * "8888/ht". `others`: the ports that are there already.
 */
export function portProblem(text: string, others: readonly string[], isTyped = false): string | null {
  const [number = '', ...rest] = text.trim().toLowerCase().split('/');
  const kind = rest.join('/');
  if (text.trim() === '') return null;
  if (!/^\d+$/.test(number)) return t`A port is a number and its kind, such as 8888/http or 22/tcp.`;
  if (Number(number) < 1 || Number(number) > MOST)
    return t`${number} is not a valid port. Ports are numbers from 1 to ${MOST}.`;
  const isWhole = KINDS.some((name) => name === kind);
  const isBegun = isTyped && KINDS.some((name) => name.startsWith(kind));
  if (!isWhole && !isBegun) {
    return kind === ''
      ? t`Enter the kind of port ${number}, too: ${number}/http or ${number}/tcp.`
      : t`A port is http or tcp, not ${kind}: write ${number}/http or ${number}/tcp.`;
  }
  const twice = others.find((other) => other.split('/')[0] === String(Number(number)));
  if (twice !== undefined) return t`Port ${number} is already listed, as ${twice}.`;
  return others.length >= limits.pod.ports ? t`A Pod has ${limits.pod.ports} ports at most.` : null;
}

/** The first problem of a list of ports; null if there is none. */
export function portsProblem(ports: readonly string[]): string | null {
  const problems = ports.map((port, index) => portProblem(port, ports.slice(0, index)));
  return problems.find((problem) => problem !== null) ?? null;
}
