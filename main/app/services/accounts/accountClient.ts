/** The client of a remote account: one connection for each address, with the current key. */
import type { Account } from '#contract/app/account.ts';
import { AppError } from '#contract/core/errors.ts';
import type { Logger } from 'pino';
import type { Area } from '../../accounts/address.ts';
import { podAddressesOf } from '../../accounts/podAddresses.ts';
import { createComputeApi, type ComputeApi, type Outbounds } from '../../compute/computeApi.ts';
import type { PodTunnelAddress } from '../../compute/v1/pods.ts';
import { observeOutbound, type Observer } from '../../compute/http/healthDecorator.ts';
import { createOutbound, type Outbound } from '../../compute/http/outbound.ts';

export interface AccountClient {
  compute: ComputeApi;
  /** Aborts running requests. */
  stop(): Promise<void>;
}

export interface AccountClientOptions {
  account: Pick<Account, 'name' | 'dialect' | 'addresses'>;
  /** Whether it has the /local/v1 API. */
  hasLocal: boolean;
  /** Rejects if there is no key. */
  key: () => Promise<string>;
  /** Observes the outcome of each request. */
  observer: Observer;
  /** Opens http ports of Pods of the engine. Null where none are shown. */
  tunnel: PodTunnelAddress | null;
  logger: Logger;
}

const areaNames: Record<Area, string> = { jobs: 'jobs', management: 'REST', graphql: 'GraphQL' };

export function createAccountClient({
  account,
  hasLocal,
  key,
  observer,
  tunnel,
  logger,
}: AccountClientOptions): AccountClient {
  const { name, addresses, dialect } = account;

  function outboundOf(area: Area): Outbound {
    const address = addresses[area];
    const outbound = createOutbound({
      name,
      logger,
      keyMayBeInAddress: area === 'graphql',
      target: async () => {
        if (address === null) {
          throw new AppError('UNSUPPORTED', `${name} has no address for ${areaNames[area]}.`);
        }
        return { address, key: await key() };
      },
    });
    return observeOutbound(outbound, observer);
  }
  const outbounds: Outbounds = {
    jobs: outboundOf('jobs'),
    management: outboundOf('management'),
    graphql: outboundOf('graphql'),
  };
  return {
    compute: createComputeApi(outbounds, {
      hasLocal,
      dialect,
      httpAddress: podAddressesOf(addresses.management),
      tunnel,
    }),
    async stop() {
      const { jobs, management, graphql } = outbounds;
      await Promise.all([jobs.stop(), management.stop(), graphql.stop()]);
    },
  };
}
