/** The first page of a Pod's program: a link once its server answers. */
import { useQuery } from '@tanstack/react-query';
import { Anchor, Button, Loader, Tooltip } from '@mantine/core';
import { ExternalLink } from 'lucide-react';
import { orpc } from '../../../client/transport/orpc.ts';
import { httpPortsOf } from '../podState.ts';
import type { ShownPod } from '../../../ui/text/podWords.ts';
import { pageLink, programOf, type PageLink } from '../settings/gallery/programs.ts';
import styles from '../pods.module.css';
import { t } from '../../../language/text.ts';

export interface FirstPageState {
  link: PageLink;
  /** The name of the program while its server does not answer yet; null once it does, or if that is not known. */
  starting: string | null;
  /** Why it is not ready yet, as a sentence. */
  why: string | null;
}

/** A server that starts is asked this often, and one that answered to notice that it no longer does. Milliseconds. */
const STARTING_MS = 2000;
const READY_MS = 15_000;

/**
 * The first http port that can be reached now; null if there is none. An account that checks no ports has its link at
 * once.
 */
export function useFirstPage(accountId: string, row: ShownPod): FirstPageState | null {
  const { pod } = row;
  const [first] = httpPortsOf(row);
  const program = programOf(pod.imageName);
  const page = program?.firstPage?.port === first?.port ? (program?.firstPage ?? null) : null;
  const { data, isError } = useQuery(
    orpc.pods.checkPort.queryOptions({
      input: { accountId, podId: pod.id, port: page?.port ?? '', path: page?.readyPath ?? '' },
      enabled: page !== null,
      refetchInterval: ({ state }) => (state.status === 'error' ? false : state.data?.ready ? READY_MS : STARTING_MS),
      // After a stop, the server starts again.
      gcTime: 0,
      staleTime: 0,
      retry: false,
    }),
  );
  if (!first) return null;
  const isStarting = page !== null && program !== undefined && !isError && data?.ready !== true;
  return {
    link: pageLink(pod, first),
    starting: isStarting ? program.name : null,
    why: isStarting ? (data?.problem ?? null) : null,
  };
}

/** In the head of the inspector. */
export function FirstPageButton({ link, starting, why }: FirstPageState) {
  if (starting !== null) {
    return (
      <Tooltip label={why} disabled={why === null}>
        <span className={styles.starting} role="status">
          <Loader size={12} aria-hidden />
          {t`Starting ${starting}…`}
        </span>
      </Tooltip>
    );
  }
  return (
    <Button
      size="xs"
      variant="default"
      component="a"
      href={link.address}
      target="_blank"
      rel="noreferrer"
      rightSection={<ExternalLink size={12} aria-label={t`opens in a new window`} />}
    >
      {link.title}
    </Button>
  );
}

/** In the list: the first page of the Pod where one can be opened now; otherwise its ports. */
export function PortsCell({ accountId, row }: { accountId: string; row: ShownPod }) {
  const page = useFirstPage(accountId, row);
  if (page === null)
    return (
      <span className={styles.quiet} title={row.pod.ports.join(', ')}>
        {row.pod.ports.join(' ') || '–'}
      </span>
    );
  const { link, starting, why } = page;
  if (starting !== null) return <span title={why ?? undefined}>{t`Starting ${starting}…`}</span>;
  return (
    <Anchor
      href={link.address}
      target="_blank"
      rel="noreferrer"
      inherit
      title={row.pod.ports.join(', ')}
      onClick={(event) => event.stopPropagation()}
    >
      {link.title}
    </Anchor>
  );
}
