/** The requests about Pods that only an engine of Hangar answers, below `/local/v1`. */
import * as z from 'zod';
import { autoStopSchema } from '#contract/api/autoStop.ts';
import { podLimitsSchema } from '#contract/api/pod.ts';
import { AppError, isUnsupported } from '#contract/core/errors.ts';
import { podEventSchema } from '#contract/local/podEvent.ts';
import { podMetricsSchema, podPortCheckSchema } from '#contract/local/podMetrics.ts';
import { podSshSchema } from '#contract/local/ssh/podSsh.ts';
import { createSendJson } from '../http/jsonRequests.ts';
import type { Outbound } from '../http/outbound.ts';
import type { PodsApi } from '../pods.ts';

type LocalPodsApi = Pick<
  PodsApi,
  'lacks' | 'events' | 'changeAutoStop' | 'changeLimits' | 'checkPort' | 'metrics' | 'connectPort' | 'ssh' | 'allowKey'
>;

const OLD_AUTO_STOP = 'The Hangar of this account is too old to stop Pods automatically. Update it.';
const OLD_LIMITS = 'The Hangar of this account is too old to change the limits of a Pod. Update it.';
const OLD_METRICS = 'The Hangar of this account is too old to keep the load of its Pods. Update it.';
const sshAnswer = z.looseObject({ ssh: z.looseObject({ keys: z.array(z.string()) }) });

/** The error of a request that this engine does not know yet, in the words `tooOld`; any other error as it is. */
function unsupportedAs(thrown: unknown, tooOld: string): unknown {
  return isUnsupported(thrown) ? new AppError('UNSUPPORTED', tooOld, { cause: thrown }) : thrown;
}

/** Of an engine of Hangar. */
export function createLocalPods(outbound: Outbound): LocalPodsApi {
  const local = (id: string): string => `/local/v1/pods/${encodeURIComponent(id)}`;
  const send = createSendJson(outbound);
  return {
    lacks: [],
    events: (id) => send('GET', `${local(id)}/events`, z.array(podEventSchema)),
    async changeAutoStop(id, change) {
      try {
        return await send('PATCH', `${local(id)}/auto-stop`, autoStopSchema, change);
      } catch (thrown) {
        throw unsupportedAs(thrown, OLD_AUTO_STOP);
      }
    },
    async changeLimits(id, change) {
      try {
        return await send('PATCH', `${local(id)}/limits`, podLimitsSchema, change);
      } catch (thrown) {
        throw unsupportedAs(thrown, OLD_LIMITS);
      }
    },
    checkPort: (id, port, path) =>
      send(
        'GET',
        `${local(id)}/ports/${encodeURIComponent(port)}/check?${new URLSearchParams({ path })}`,
        podPortCheckSchema,
      ),
    async metrics(id, period) {
      try {
        return await send('GET', `${local(id)}/metrics?period=${period}`, podMetricsSchema);
      } catch (thrown) {
        throw unsupportedAs(thrown, OLD_METRICS);
      }
    },
    connectPort: (id, port, signal) => outbound.socket({ path: `${local(id)}/ports/${port}/connect`, signal }),
    ssh: (id) => send('GET', `${local(id)}/ssh`, podSshSchema),
    async allowKey(line) {
      const { ssh } = await send('GET', '/local/v1/settings', sshAnswer);
      const keys = [...new Set([...ssh.keys, line])];
      await send('PATCH', '/local/v1/settings', sshAnswer, { ssh: { keys } });
    },
  };
}

const NO_EVENTS = 'REST v1 does not report what happened to a Pod.';
const NO_METRICS = 'REST v1 does not keep the load of a Pod over time.';
const NO_SSH = 'REST v1 does not serve SSH. Use the SSH server of the Pod itself.';

/** Rejects with UNSUPPORTED, for `reason`. */
const lacking = (reason: string) => (): Promise<never> => Promise.reject(new AppError('UNSUPPORTED', reason));

/** Of any other service: every request rejects with UNSUPPORTED. */
export const noLocalPods: LocalPodsApi = {
  lacks: [
    { what: 'logs', reason: 'REST v1 does not report the log of a Pod. Open a terminal in it.' },
    { what: 'events', reason: NO_EVENTS },
    { what: 'metrics', reason: NO_METRICS },
  ],
  events: lacking(NO_EVENTS),
  changeAutoStop: lacking('REST v1 does not stop Pods automatically.'),
  changeLimits: lacking('REST v1 does not change the cores and the memory of a Pod. Make another Pod.'),
  checkPort: lacking('REST v1 does not check the ports of a Pod. Open its address.'),
  metrics: lacking(NO_METRICS),
  connectPort: lacking(NO_SSH),
  ssh: lacking(NO_SSH),
  allowKey: lacking(NO_SSH),
};
