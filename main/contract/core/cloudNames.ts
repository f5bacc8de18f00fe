/** Names that the cloud gives to its regions and hardware. Clients send them; this machine accepts all of them. */

/** The region that stands for this machine. */
export const LOCAL_DATA_CENTER = 'LOCAL-1';
export const LOCAL_DATA_CENTER_NAME = 'This machine';

/** Regions of the cloud. */
export const cloudDataCenters = [
  'EU-RO-1',
  'CA-MTL-1',
  'EU-SE-1',
  'US-IL-1',
  'EUR-IS-1',
  'EU-CZ-1',
  'US-TX-3',
  'EUR-IS-2',
  'US-KS-2',
  'US-GA-2',
  'US-WA-1',
  'US-TX-1',
  'CA-MTL-3',
  'EU-NL-1',
  'US-TX-4',
  'US-CA-2',
  'US-NC-1',
  'OC-AU-1',
  'US-DE-1',
  'EUR-IS-3',
  'CA-MTL-2',
  'AP-JP-1',
  'EUR-NO-1',
  'EU-FR-1',
  'US-KS-3',
  'US-GA-1',
];

export const dataCenters = [LOCAL_DATA_CENTER, ...cloudDataCenters];

/** Countries that `locations` of GraphQL may name. */
const countries = ['CZ', 'FR', 'GB', 'NO', 'RO', 'US'] as const;

/** A region's id has the country after the continent (`EU-RO-1`), or at its beginning (`US-TX-3`). */
const isIn = (country: string, region: string): boolean =>
  region.startsWith(`${country}-`) || /^[A-Z]+-([A-Z]+)-/.exec(region)?.[1] === country;

/** Country → its regions. The list is empty for a country that has no region of its own. */
export const regionsOfCountries: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  countries.map((country) => [country, cloudDataCenters.filter((region) => isIn(country, region))]),
);

/** Newest first. */
export const cudaVersions = [
  '13.0',
  '12.9',
  '12.8',
  '12.7',
  '12.6',
  '12.5',
  '12.4',
  '12.3',
  '12.2',
  '12.1',
  '12.0',
  '11.8',
] as const;
export type CudaVersion = (typeof cudaVersions)[number];

/** The CPU flavors that endpoints may name. */
export const endpointCpuFlavorIds = ['cpu3c', 'cpu3g', 'cpu5c', 'cpu5g'] as const;
export type EndpointCpuFlavor = (typeof endpointCpuFlavorIds)[number];
/** CPU flavor → GB of memory for each of its cores. */
export const endpointCpuFlavors: Readonly<Record<EndpointCpuFlavor, number>> = {
  cpu3c: 2,
  cpu3g: 4,
  cpu5c: 2,
  cpu5g: 4,
};

/** CPU flavor → GB of memory for each core, for Pods. */
export const podCpuFlavors: Readonly<Record<string, number>> = { ...endpointCpuFlavors, cpu3m: 8, cpu5m: 8 };

/** Reads the id of a CPU instance: `cpu3c-2-4` has two cores and 4 GB of memory. Null if the text is not such an id. */
export function readInstanceId(id: string): { flavor: string; vcpuCount: number; memoryInGb: number } | null {
  const [, flavor, cores, gb] = /^([a-z0-9]+)-([1-9]\d{0,3})-([1-9]\d{0,4})$/i.exec(id) ?? [];
  return flavor === undefined ? null : { flavor, vcpuCount: Number(cores), memoryInGb: Number(gb) };
}
