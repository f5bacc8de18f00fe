/** The procedures about SSH into Pods. */
import type { sshContract } from '#contract/bridge/ssh.ts';
import type { ImplementerInternalWithMiddlewares } from '@orpc/server';
import type { Ssh } from '../terminals/ssh.ts';

export const bindSsh = (ssh: ImplementerInternalWithMiddlewares<typeof sshContract, object, object>, app: Ssh) => ({
  now: ssh.now.handler(() => app.now()),
  change: ssh.change.handler(({ input }) => app.change(input)),
  ways: ssh.ways.handler(({ input }) => app.ways(input.accountId, input.podId)),
  trust: ssh.trust.handler(({ input: { fingerprint, ...host } }) => app.trust(host, fingerprint)),
  forget: ssh.forget.handler(({ input }) => app.forget(input)),
  unlock: ssh.unlock.handler(({ input }) => app.unlock(input.passphrase, input.keep)),
  lock: ssh.lock.handler(() => app.lock()),
});
