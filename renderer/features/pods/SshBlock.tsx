/** How a Pod is reached over SSH, as commands for a terminal of the person's own; or why it is not. */
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Pod } from '#contract/api/pod.ts';
import type { SshWay } from '#contract/app/ssh.ts';
import { errorText, orpc } from '../../client/transport/orpc.ts';
import { CopyButton } from '../../ui/primitives/CopyButton.tsx';
import panel from '../../ui/theme/panel.module.css';
import styles from './pods.module.css';

/** Its public port is another one after each start. */
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
  if (data?.direct) ways.push(['direct', 'terminal and files', data.direct]);
  if (data?.proxy) ways.push(['proxy', 'terminal only', data.proxy]);
  return (
    <section className={panel.block} aria-label="SSH">
      <h3>SSH</h3>
      {pod.desiredStatus !== 'RUNNING' ? (
        <p className={panel.hint}>It is reached while it runs.</p>
      ) : isError && data === undefined ? (
        <p className={panel.hint}>{errorText(error)}</p>
      ) : data === undefined ? (
        <Skeleton h={10} w={240} radius={4} />
      ) : (
        data.problem !== null && <p className={panel.hint}>{data.problem}</p>
      )}
      <ul className={styles.ports}>
        {ways.map(([name, what, { command }]) => (
          <li key={name}>
            <code>{name}</code>
            <span className={styles.address} title={`${command} (${what})`}>
              {command}
            </span>
            <CopyButton text={command} what={`SSH command, ${name}`} />
          </li>
        ))}
      </ul>
    </section>
  );
}
