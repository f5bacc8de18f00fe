/** The addresses of the http ports of Pods. The management API of a service does not contain them. */

type PodAddress = (podId: string, port: number) => string;

const services: readonly { service: RegExp; address: PodAddress }[] = [
  { service: /(^|\.)runpod\.io$/i, address: (podId, port) => `https://${podId}-${port}.proxy.runpod.net/` },
];

/** Null for a service whose addresses are not known. */
export function podAddressesOf(management: string | null): PodAddress | null {
  const host = management === null ? '' : (URL.parse(management)?.hostname ?? '');
  return services.find(({ service }) => service.test(host))?.address ?? null;
}
