/** The SSH routes of a Pod, from its account's data, or the reason why there is none. */
import type { Pod } from '#contract/api/pod.ts';
import type { SshWay, SshWays } from '#contract/app/ssh.ts';
import * as z from 'zod';

const SSHD_PORT = 22;
/** The user of a Pod's public address. */
const ROOT = 'root';
/** Text that is safe in a copied shell command, and in a line of known_hosts. */
const plain = z.string().regex(/^[A-Za-z0-9_.:][A-Za-z0-9_.:@-]*$/);
const portSchema = z.int().min(1).max(65_535);

const routeSchema = z.looseObject({ host: plain, port: portSchema, username: plain });
/** REST v2 contains both routes. */
const podRoutesSchema = z.looseObject({ proxy: routeSchema.nullish(), direct: routeSchema.nullish() });

/** Proxies of known services whose API does not contain them. */
const PROXIES: readonly { service: RegExp; host: string }[] = [
  { service: /(^|\.)runpod\.(io|ai)$/i, host: 'ssh.runpod.io' },
];

const way = (host: string, port: number, username: string): SshWay => ({
  host,
  port,
  username,
  command: `ssh ${username}@${host}${port === SSHD_PORT ? '' : ` -p ${port}`}`,
});

const wayOf = (reported: z.infer<typeof routeSchema> | null | undefined): SshWay | null =>
  reported ? way(reported.host, reported.port, reported.username) : null;

/** The SSH address of a Pod in the older APIs, which requires a separate request. */
export interface PodPlace {
  podHostId: string | null;
  /** The public address of port 22. */
  direct: { ip: string; port: number } | null;
}

/** Whether the record of the Pod contains its SSH routes. */
export const reportsRoutes = (pod: Pod): boolean => podRoutesSchema.safeParse(pod['ssh']).success;

/** The proxy of the service at this address. */
export function proxyOf(address: string | null): string | null {
  const host = address === null ? '' : (URL.parse(address)?.hostname ?? '');
  return PROXIES.find(({ service }) => service.test(host))?.host ?? null;
}

export function waysOf(pod: Pod, place: PodPlace | null, proxyHost: string | null): SshWays {
  const reported = podRoutesSchema.safeParse(pod['ssh']);
  if (reported.success) {
    const direct = wayOf(reported.data.direct);
    const proxy = wayOf(reported.data.proxy);
    return { direct, proxy, problem: (direct ?? proxy) ? null : problemOf(pod) };
  }
  const mapped = place?.direct ?? mappedOf(pod);
  const fits = mapped !== null && plain.safeParse(mapped.ip).success;
  const direct = fits ? way(mapped.ip, mapped.port, ROOT) : null;
  const user = plain.safeParse(place?.podHostId);
  const proxy = user.success && proxyHost !== null ? way(proxyHost, SSHD_PORT, user.data) : null;
  return { direct, proxy, problem: (direct ?? proxy) ? null : problemOf(pod) };
}

function mappedOf({ publicIp, portMappings }: Pod): { ip: string; port: number } | null {
  const port = portMappings?.[SSHD_PORT];
  return publicIp && port !== undefined ? { ip: publicIp, port } : null;
}

function problemOf({ desiredStatus, ports }: Pod): string {
  if (desiredStatus !== 'RUNNING') return 'The Pod is stopped. Start it, then open a terminal.';
  if (!ports.includes(`${SSHD_PORT}/tcp`)) {
    return 'Its sshd has no public port. Add 22/tcp to the ports of the Pod, and start it with an image that has sshd.';
  }
  return 'Its port 22/tcp has no public address yet: the Pod may still be starting, or its machine has no public address.';
}
