/** SSH commands for a Pod in the person's own terminal; or the reason why there are none. */
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Pod } from '#contract/api/pod.ts';
import type { SshWay } from '#contract/app/ssh.ts';
import { errorText, orpc } from '../../../client/transport/orpc.ts';
import { CopyButton } from '../../../ui/primitives/CopyButton.tsx';
import panel from '../../../ui/theme/panel.module.css';
import { VscodeLink } from './VscodeLink.tsx';
import styles from '../pods.module.css';
import { t } from '../../../language/text.ts';

/** Interval of the polls: its public port changes at each start, and a cloud reports no changes. */
const EVERY_MS = 15_000;

export function SshBlock({ accountId, pod }: { accountId: string; pod: Pod }) {
  const { data, error, isError } = useQuery(
    orpc.ssh.ways.queryOptions({
      input: { accountId, podId: pod.id },
      enabled: pod.desiredStatus === 'RUNNING',
      refetchInterval: EVERY_MS,
      retry: false,
    }),
  );
  const ways: [string, string, SshWay][] = [];
  if (data?.direct) ways.push(['direct', t`terminal and files`, data.direct]);
  if (data?.proxy) ways.push(['proxy', t`terminal only`, data.proxy]);
  return (
    <section className={panel.block} aria-label={t`SSH`}>
      <h3>{t`SSH`}</h3>
      {pod.desiredStatus !== 'RUNNING' ? (
        <p className={panel.hint}>{t`Reachable while it is running.`}</p>
      ) : isError && data === undefined ? (
        <p className={panel.hint}>{errorText(error)}</p>
      ) : data === undefined ? (
        <Skeleton h={10} w={240} radius={4} />
      ) : (
        data.problem !== null && <p className={panel.hint}>{data.problem}</p>
      )}
      <ul className={styles.ports}>
        {ways.map(([name, what, way]) => (
          <li key={name}>
            <code>{name}</code>
            <span className={styles.address} title={`${way.command} (${what})`}>
              {way.command}
            </span>
            <CopyButton text={way.command} label={t`Copy SSH command, ${name}`} />
            {name === 'direct' && <VscodeLink {...way} folder={pod.volumeMountPath || '/'} />}
          </li>
        ))}
      </ul>
    </section>
  );
}
