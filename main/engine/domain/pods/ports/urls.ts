/** The addresses of a Pod's http ports: host names of the engine, which forwards requests to the container. */
import { AppError } from '#contract/core/errors.ts';
import type { PodLife } from '../life.ts';
import type { PodRecord } from '../podInterfaces.ts';
import { portsOf } from '../view.ts';

const httpPorts = (pod: PodRecord): number[] =>
  portsOf(pod).flatMap(({ port, type }) => (type === 'http' ? [port] : []));

/** `engine`: the base address of the engine. */
export function httpAddresses(pod: PodRecord, engine: string): Record<string, string> {
  const { port: at } = new URL(engine);
  return Object.fromEntries(httpPorts(pod).map((port) => [String(port), `http://${pod.id}-${port}.localhost:${at}/`]));
}

/** Throws NOT_FOUND where the Pod has no such port, UPSTREAM with the reason while it does not run. */
export function upstreamOf(pod: PodRecord, life: PodLife, port: number): { host: string; port: number; name: string } {
  const { id, name, desiredStatus } = pod;
  const who = `The Pod ${JSON.stringify(name)} (${id})`;
  if (desiredStatus === 'TERMINATED') throw new AppError('NOT_FOUND', `${who} was deleted.`);
  const has = httpPorts(pod);
  if (!has.includes(port)) {
    const those = has.length === 0 ? 'none' : has.join(', ');
    throw new AppError(
      'NOT_FOUND',
      `${who} has no port ${port}/http; its http ports: ${those}. Add ${port}/http to its ports.`,
    );
  }
  const { container, preparing, problem } = life;
  const at = container?.running === true ? container.ports.get(port) : undefined;
  if (at) return { ...at, name };
  const stopped = desiredStatus === 'EXITED' ? 'It is stopped; start it.' : 'Its container is not running yet.';
  const doing = preparing === null ? null : `${preparing}.`;
  throw new AppError('UPSTREAM', `${who} cannot be reached at port ${port} now. ${doing ?? problem ?? stopped}`);
}
