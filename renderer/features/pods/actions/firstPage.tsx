/** The first page of a Pod: a link once the server at its port answers. */
import { useQuery } from '@tanstack/react-query';
import { Anchor, Button, Loader, Tooltip } from '@mantine/core';
import { ExternalLink } from 'lucide-react';
import type { PodPortCheck } from '#contract/local/podMetrics.ts';
import { orpc } from '../../../client/transport/orpc.ts';
import { httpPortsOf } from '../podState.ts';
import type { ShownPod } from '../../../ui/text/podWords.ts';
import { pageLink, programOf, type PageLink } from '../settings/gallery/programs.ts';
import styles from '../pods.module.css';
import { t } from '../../../language/text.ts';

export interface FirstPageState {
  link: PageLink;
  /** Why it cannot be opened yet, in a few words; null once it can, or if that is not known. */
  notYet: string | null;
  /** Whether something goes on: a known program starts, or the port is asked for the first time. */
  isBusy: boolean;
  /** The last answer of the port, as a sentence; null if it can be opened, and before the first one. */
  why: string | null;
}

/** A server that starts is asked this often, and one that answered to notice that it no longer does. Milliseconds. */
const STARTING_MS = 2000;
const READY_MS = 15_000;
/** A port at which nobody knows whether something will ever listen: after a minute it is asked less often. */
const SILENT_MS = 4000;
const LONG_SILENT_MS = 20_000;
const silentMs = (answers: number): number => (answers * SILENT_MS < 60_000 ? SILENT_MS : LONG_SILENT_MS);

/**
 * The first http port that can be reached now; null if there is none. An account that checks no ports has its link at
 * once. The page of a known program needs an answer below 500; of any other server, each answer is one. Such a server is
 * asked no more once it has answered: many write each request to their log.
 */
export function useFirstPage(accountId: string, row: ShownPod): FirstPageState | null {
  const { pod } = row;
  const [first] = httpPortsOf(row);
  const program = programOf(pod.imageName);
  const page = program?.firstPage?.port === first?.port ? (program?.firstPage ?? null) : null;
  const isUp = (check: PodPortCheck | undefined): boolean =>
    check !== undefined && (page === null ? check.status !== null : check.ready);
  const { data, isError } = useQuery(
    orpc.pods.checkPort.queryOptions({
      input: { accountId, podId: pod.id, port: first?.port ?? '', path: page?.readyPath ?? '/' },
      enabled: first !== undefined,
      refetchInterval: ({ state }) => {
        if (state.status === 'error') return false;
        if (isUp(state.data)) return page === null ? false : READY_MS;
        return page === null ? silentMs(state.dataUpdateCount) : STARTING_MS;
      },
      // After a stop, the server starts again.
      gcTime: 0,
      staleTime: 0,
      retry: false,
    }),
  );
  if (!first) return null;
  const link = pageLink(pod, first);
  if (isError || isUp(data)) return { link, notYet: null, isBusy: false, why: null };
  const { port } = first;
  const why = data?.problem ?? null;
  if (page !== null) return { link, notYet: t`Starting ${program?.name ?? ''}…`, isBusy: true, why };
  return data === undefined
    ? { link, notYet: t`Trying port ${port}…`, isBusy: true, why }
    : { link, notYet: t`Nothing answers on port ${port} yet`, isBusy: false, why };
}

/** In the head of the inspector. */
export function FirstPageButton({ link, notYet, isBusy, why }: FirstPageState) {
  if (notYet !== null) {
    return (
      <Tooltip label={why ?? notYet}>
        <span className={styles.starting} role="status" data-stays={isBusy ? undefined : true}>
          {isBusy && <Loader size={12} aria-hidden />}
          {notYet}
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
  if (page === null || (page.notYet !== null && !page.isBusy))
    return (
      <span className={styles.quiet} title={page?.notYet ?? row.pod.ports.join(', ')}>
        {row.pod.ports.join(' ') || '–'}
      </span>
    );
  const { link, notYet, why } = page;
  if (notYet !== null) return <span title={why ?? undefined}>{notYet}</span>;
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
