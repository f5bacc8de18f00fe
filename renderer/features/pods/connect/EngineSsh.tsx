/** SSH into a Pod of Hangar, through the SSH server of its engine: the command, and the person's key. */
import { Button, Skeleton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Pod } from '#contract/api/pod.ts';
import { THIS_MACHINE } from '#contract/app/account.ts';
import type { SshNow } from '#contract/bridge/ssh.ts';
import type { PodSshFacts } from '#contract/local/ssh/podSsh.ts';
import { t } from '../../../language/text.ts';
import { useStatePollMs } from '../../../client/changes/pushed.ts';
import { errorText, orpc } from '../../../client/transport/orpc.ts';
import { isOnOtherComputer } from '../../../client/otherComputer.ts';
import { CopyButton } from '../../../ui/primitives/CopyButton.tsx';
import panel from '../../../ui/theme/panel.module.css';
import pods from '../pods.module.css';
import styles from './connect.module.css';
import { sshCommandOf } from './sshCommand.ts';
import { VscodeLink } from './VscodeLink.tsx';

/** Interval of the polls of an engine that does not report its changes. */
const EVERY_MS = 15_000;

interface EngineSshProps {
  accountId: string;
  pod: Pod;
}

export function EngineSsh({ accountId, pod }: EngineSshProps) {
  const input = { accountId, podId: pod.id };
  // It changes with the settings, with the Pod, and with nothing else.
  const refetchInterval = useStatePollMs(accountId, EVERY_MS, 'settings');
  const { data, error } = useQuery(orpc.ssh.server.queryOptions({ input, refetchInterval, retry: false }));
  const isHere = accountId === THIS_MACHINE;
  // Kept answers come without being asked for, too.
  const own = useQuery(orpc.ssh.now.queryOptions({ enabled: isHere })).data;
  return (
    <section className={panel.block} aria-label={t`SSH`}>
      <h3>{t`SSH`}</h3>
      {data === undefined ? (
        error === null ? (
          <Skeleton h={10} w={240} radius={4} />
        ) : (
          <p className={panel.hint}>{errorText(error)}</p>
        )
      ) : (
        <>
          <Way server={data} pod={pod} isHere={isHere} />
          {isHere && own !== undefined && <OwnKey accountId={accountId} server={data} own={own} />}
        </>
      )}
    </section>
  );
}

function Way({ server, pod, isHere }: { server: PodSshFacts; pod: Pod; isHere: boolean }) {
  const { host, port, username, hostKey, problem, notice } = server;
  const command = sshCommandOf(server);
  if (command === null || port === null) return <p className={panel.hint}>{problem}</p>;
  return (
    <>
      <ul className={pods.ports}>
        <li>
          <span className={pods.address}>{command}</span>
          <CopyButton text={command} label={t`Copy SSH command`} />
          {isHere && !isOnOtherComputer() && (
            <VscodeLink username={username} host={host} port={port} folder={pod.volumeMountPath || '/'} />
          )}
        </li>
      </ul>
      {notice !== undefined && <p className={`${panel.hint} ${styles.long}`}>{notice}</p>}
      <p className={`${panel.hint} ${styles.long}`}>
        {isHere && !isOnOtherComputer()
          ? t`Its host key: ${hostKey ?? ''}`
          : t`Only on the computer that runs that Hangar: its server listens there.`}
      </p>
    </>
  );
}

/** Offers to allow the person's key, unless one of theirs may sign in. */
function OwnKey({ accountId, server, own }: { accountId: string; server: PodSshFacts; own: SshNow }) {
  const queries = useQueryClient();
  const allow = useMutation(
    orpc.ssh.allowKey.mutationOptions({
      onSettled: () => queries.invalidateQueries({ queryKey: orpc.ssh.server.key() }),
    }),
  );
  const allowed = new Set(server.keys.map(({ fingerprint }) => fingerprint));
  if (own.offers.some(({ fingerprint }) => allowed.has(fingerprint))) return null;
  const [first] = own.offers;
  if (first === undefined) {
    return own.problem === null || server.keys.length > 0 ? null : <p className={panel.hint}>{own.problem}</p>;
  }
  const { line, algorithm, fingerprint, from } = first;
  return (
    <div className={styles.ownKey}>
      <p className={`${panel.hint} ${styles.long}`}>
        {t`Your key is not allowed to sign in yet: ${algorithm} ${fingerprint}, from ${from === 'the agent' ? t`the agent` : from}. Once allowed, it can sign in to every Pod of this computer.`}
      </p>
      <Button
        size="xs"
        variant="default"
        loading={allow.isPending}
        onClick={() => allow.mutate({ accountId, line })}
      >{t`Allow this key`}</Button>
      {allow.isError && (
        <p className={styles.problem} role="alert">
          {errorText(allow.error)}
        </p>
      )}
    </div>
  );
}
