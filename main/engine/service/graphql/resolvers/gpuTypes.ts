/** The GPUs and the processor of this machine, with prices and stock, in the GraphQL API. */
import { LOCAL_DATA_CENTER_NAME, readInstanceId } from '#contract/core/cloudNames.ts';
import { AppError } from '#contract/core/errors.ts';
import { CPU_TYPE, type GpuType } from '#contract/api/gpuType.ts';
import type { Prices } from '../../../domain/billing/pricing.ts';
import type { GraphqlPart } from '../schema.ts';

const types = /* GraphQL */ `
  enum Compliance {
    GDPR
    ISO_IEC_27001
    ISO_14001
    PCI_DSS
    HITRUST
    SOC_1_TYPE_2
    SOC_2_TYPE_2
    SOC_3_TYPE_2
    ITAR
    FISMA_HIGH
  }

  "Prices are in US dollars an hour."
  type GpuType {
    id: String!
    displayName: String
    manufacturer: String
    memoryInGb: Int
    cudaCores: Int
    secureCloud: Boolean
    communityCloud: Boolean
    securePrice: Float
    communityPrice: Float
    maxGpuCount: Int
    "This machine is no community cloud: 0."
    maxGpuCountCommunityCloud: Int
    maxGpuCountSecureCloud: Int
    minPodGpuCount: Int
    lowestPrice(input: GpuLowestPriceInput): LowestPrice
    "Null here: this machine is no cluster."
    clusterPrice: Float
    "Empty here: this machine is no cluster."
    nodeGroupDatacenters: [DataCenter!]
    "Empty here: this machine is no cluster."
    nodeGroupGpuSizes: [Int!]
    "Null here."
    throughput: Int
    "Null here."
    communitySpotPrice: Float
    "Null here."
    oneMonthPrice: Float
    "Null here."
    oneWeekPrice: Float
    "Null here."
    secureSpotPrice: Float
    "Null here."
    sixMonthPrice: Float
    "Null here."
    threeMonthPrice: Float
  }
  type LowestPrice {
    gpuTypeId: String
    gpuName: String
    "Of all GPUs that were asked for, together."
    uninterruptablePrice: Float
    minimumBidPrice: Float
    minMemory: Int
    minVcpu: Int
    stockStatus: String
    availableGpuCounts: [Int!]
    maxUnreservedGpuCount: Int
    totalCount: Int
    rentedCount: Int
    rentalPercentage: Float
    "Null here."
    compliance: [Compliance!]
    "Null here."
    countryCode: String
    "Null here."
    minDisk: Int
    "Null here."
    minDownload: Int
    "Null here."
    minUpload: Int
    "Null here."
    supportPublicIp: Boolean
  }
  type CpuType {
    id: String!
    displayName: String
    cores: Int
    "Null here."
    groupId: String
    "Null here."
    manufacturer: String
    "Null here."
    threadsPerCore: Int
  }
  type CpuFlavor {
    id: String!
    displayName: String
    groupId: String
    groupName: String
    minVcpu: Int
    maxVcpu: Int
    "GB of memory for each core."
    ramMultiplier: Float
    vcpuBurstable: Boolean
    specifics(input: SpecificsInput): Specifics
    "Null here."
    diskLimitPerVcpu: Int
  }
  type Specifics {
    stockStatus: String
    securePrice: Float
    slsPrice: Float
  }
  type GpuAvailability {
    id: String
    available: Boolean
    displayName: String
    gpuType: GpuType
    gpuTypeDisplayName: String
    gpuTypeId: String
    stockStatus: String
  }
  "This machine is the one there is."
  type DataCenter {
    id: String!
    name: String
    listed: Boolean
    storageSupport: Boolean
    gpuAvailability(input: GpuAvailabilityInput): [GpuAvailability!]
    "Null here."
    compliance: [Compliance!]
    "Null here."
    location: String
  }

  input GpuTypeFilter {
    "Types that clusters can be made of: none here."
    cluster: Boolean
    id: String
    ids: [String!]
  }
  "Only gpuCount makes a difference on one machine."
  input GpuLowestPriceInput {
    allowedCudaVersions: [String!]
    compliance: [Compliance!]
    countryCode: String
    cudaVersion: String
    dataCenterId: String
    gpuCount: Int
    includeAiApi: Boolean
    minCudaVersion: String
    minDisk: Int
    minDownload: Int
    minMemoryInGb: Int
    minUpload: Int
    minVcpuCount: Int
    secureCloud: Boolean
    supportPublicIp: Boolean
    totalDisk: Int
  }
  "Only gpuCount makes a difference on one machine."
  input GpuAvailabilityInput {
    allowedCudaVersions: [String!]
    gpuCount: Int
    includeAiApi: Boolean
    minDisk: Int
    minMemoryInGb: Int
    minVcpuCount: Int
    secureCloud: Boolean
  }
  input CpuFlavorInput {
    id: String
  }
  input SpecificsInput {
    dataCenterId: String
    "As in cpu3c-2-4: two cores."
    instanceId: String
  }

  extend type Query {
    "The GPUs of this machine by product name, then its processor as the type CPU."
    gpuTypes(input: GpuTypeFilter): [GpuType!]
    cpuTypes: [CpuType!]
    cpuFlavors(input: CpuFlavorInput): [CpuFlavor!]
    dataCenters: [DataCenter!]
    "Of the community cloud, which this machine is no part of: empty."
    countryCodes: [String!]
  }
  extend type User {
    datacenters: [DataCenter!]
  }
`;

/** The facts of the computer that need no key. */
export interface Computer {
  cpuModel: string;
  cores: number;
  memoryInGb: number;
}

interface Parts {
  prices: Prices;
  computer: Computer;
  dataCenterId: string;
}

interface Counted {
  input?: { gpuCount?: number | null } | null;
}

/** The CPU instance of an id. Throws BAD_REQUEST for an unknown form. */
export function instanceOf(instanceId: string): { flavor: string; vcpuCount: number; memoryInGb: number } {
  const instance = readInstanceId(instanceId);
  if (instance) return instance;
  throw new AppError(
    'BAD_REQUEST',
    `${JSON.stringify(instanceId)} is no instance on the CPU: write its flavor, cores and GB of memory, as in cpu3c-2-4.`,
  );
}

/** GPU types in the GraphQL API, also for fields of other types. */
export function gpuTypeView(prices: Prices, type: GpuType) {
  return {
    ...type,
    maxGpuCountCommunityCloud: type.communityCloud ? type.maxGpuCount : 0,
    maxGpuCountSecureCloud: type.secureCloud ? type.maxGpuCount : 0,
    minPodGpuCount: type.id === CPU_TYPE ? 0 : 1,
    nodeGroupDatacenters: [],
    nodeGroupGpuSizes: [],
    lowestPrice({ input }: Counted) {
      const lowest = prices.lowestPrice(type.id, input?.gpuCount ?? 1);
      const { totalCount = 0, rentedCount = 0 } = lowest ?? {};
      return lowest && { ...lowest, rentalPercentage: totalCount > 0 ? rentedCount / totalCount : 0 };
    },
  };
}

export function gpuTypeOperations({ prices, computer, dataCenterId }: Parts): GraphqlPart {
  const toView = (type: GpuType) => gpuTypeView(prices, type);

  function flavor() {
    const { cpuModel, cores, memoryInGb } = computer;
    return {
      id: CPU_TYPE,
      displayName: cpuModel,
      groupId: CPU_TYPE,
      groupName: CPU_TYPE,
      minVcpu: 1,
      maxVcpu: cores,
      vcpuBurstable: true,
      ramMultiplier: memoryInGb / cores,
      specifics({ input }: { input?: { instanceId?: string | null } | null }) {
        const vcpuCount = input?.instanceId ? instanceOf(input.instanceId).vcpuCount : 1;
        const price = prices.perHour(CPU_TYPE, vcpuCount);
        const { stockStatus = null } = prices.lowestPrice(CPU_TYPE, 1) ?? {};
        return { stockStatus: vcpuCount > cores ? 'None' : stockStatus, securePrice: price, slsPrice: price };
      },
    };
  }

  const dataCenters = () => [
    {
      id: dataCenterId,
      name: LOCAL_DATA_CENTER_NAME,
      listed: true,
      storageSupport: true,
      gpuAvailability: ({ input }: Counted) =>
        prices.gpuTypes().map((type) => {
          const lowest = prices.lowestPrice(type.id, input?.gpuCount ?? 1);
          return {
            id: type.id,
            gpuTypeId: type.id,
            displayName: type.displayName,
            gpuTypeDisplayName: type.displayName,
            gpuType: toView(type),
            stockStatus: lowest?.stockStatus ?? null,
            available: lowest !== null && lowest.stockStatus !== 'None',
          };
        }),
    },
  ];

  return {
    types,
    withoutKey: ['gpuTypes', 'cpuTypes', 'cpuFlavors', 'dataCenters', 'countryCodes'],
    queries: {
      gpuTypes({ input }: { input?: { cluster?: boolean | null; id?: string | null; ids?: string[] | null } | null }) {
        if (input?.cluster) return [];
        const ids = [...(input?.id ? [input.id] : []), ...(input?.ids ?? [])];
        return prices
          .gpuTypes()
          .filter(({ id }) => ids.length === 0 || ids.includes(id))
          .map(toView);
      },
      cpuTypes() {
        const { cpuModel, cores } = computer;
        return [{ id: cpuModel, displayName: cpuModel, cores }];
      },
      cpuFlavors: ({ input }: { input?: { id?: string | null } | null }) =>
        [flavor()].filter(({ id }) => !input?.id || input.id === id),
      dataCenters,
      countryCodes: () => [],
    },
    user: { datacenters: dataCenters },
  };
}
