/** The page's procedure about media that an output only names: part of the bridge contract. */
import { oc } from '@orpc/contract';
import * as z from 'zod';
import { limits } from '../../core/limits.ts';

export const mediaContract = {
  /**
   * Loads a picture, sound, film or file from an http or https address that a worker named. The app asks without a key, a
   * cookie or a referrer, because the page itself may reach no other host. A redirect to another host is not
   * followed: the error names it. `type`: what the host calls it; empty if it does not say. At most
   * `limits.page.remoteMediaBytes`.
   */
  load: oc
    .input(
      z.object({
        url: z
          .url({ protocol: /^https?$/, error: 'must be an http or https address' })
          .max(limits.page.remoteAddressLength),
      }),
    )
    .output(z.object({ bytes: z.instanceof(Blob), type: z.string() })),
};
