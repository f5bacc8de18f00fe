/** The procedures about SSH into Pods. */
import type { sshContract } from '#contract/bridge/ssh.ts';
import type { ImplementerInternalWithMiddlewares } from '@orpc/server';
import type { Directory } from '../services/directory.ts';
import type { Ssh } from '../terminals/ssh.ts';

export const bindSsh = (
  ssh: ImplementerInternalWithMiddlewares<typeof sshContract, object, object>,
  app: Ssh,
  directory: Pick<Directory, 'compute'>,
) => ({
  now: ssh.now.handler(() => app.now()),
  change: ssh.change.handler(({ input }) => app.change(input)),
  ways: ssh.ways.handler(({ input }) => app.ways(input.accountId, input.podId)),
  server: ssh.server.handler(({ input }) => directory.compute(input.accountId).pods.ssh(input.podId)),
  allowKey: ssh.allowKey.handler(({ input }) => directory.compute(input.accountId).pods.allowKey(input.line)),
  forwards: ssh.forwards.handler(({ input }) => app.forwards.list(input.accountId, input.podId)),
  forward: ssh.forward.handler(({ input }) => app.forwards.start(input)),
  endForward: ssh.endForward.handler(({ input }) => app.forwards.end(input.id)),
  trust: ssh.trust.handler(({ input: { fingerprint, ...host } }) => app.trust(host, fingerprint)),
  forget: ssh.forget.handler(({ input }) => app.forget(input)),
  unlock: ssh.unlock.handler(({ input }) => app.unlock(input.passphrase, input.keep)),
  lock: ssh.lock.handler(() => app.lock()),
});
