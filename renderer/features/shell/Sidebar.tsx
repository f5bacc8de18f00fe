/** The list of pages with their counts of open work. A narrow window shows only icons. */
import { Fragment, useEffect, useRef } from 'react';
import { VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { JobCounts } from '#contract/app/ledger.ts';
import { useAccounts } from '../../client/accounts.ts';
import { useAway } from '../../client/away.ts';
import { useStatePollMs } from '../../client/changes/pushed.ts';
import { useJobCounts } from '../../client/jobs/jobCounts.ts';
import { orpc } from '../../client/transport/orpc.ts';
import { useRoute } from '../../state/route.ts';
import { formatRoute, startOf, type Route } from '../../state/routePath.ts';
import { targetAccount } from '../../state/selection.ts';
import { pageGroups, type ShellPage } from '../../ui/page/definePage.tsx';
import { Tip } from '../../ui/popover/Tip.tsx';
import { formatCount } from '../../ui/text/format.ts';
import { keyLabel } from '../../ui/keyboard/shortcuts.ts';
import styles from './shell.module.css';
import { t } from '../../language/text.ts';

/** What a page has open. */
interface Note {
  count: number;
  /** Behind the count. */
  word?: string;
}

/** 3 running; 10 queued where none runs. */
const openJobs = ({ running, queued }: JobCounts): Note =>
  running > 0 ? { count: running, word: t`running` } : { count: queued, word: t`queued` };

/** Interval of the reads of Pods, which also change without this page. */
const PODS_MS = 30_000;

/** What each page has open: jobs of all accounts, endpoints and Pods of the target, and accounts. */
function useNotes(): Partial<Record<Route['page'], Note | undefined>> {
  const accountId = targetAccount.use();
  const { counts } = useJobCounts();
  const isLost = useAway('app') !== null;
  const accounts = useAccounts();
  const hasPods = accounts?.find(({ id }) => id === accountId)?.capabilities.includes('pods') === true;
  const endpoints = useQuery(orpc.endpoints.now.queryOptions({ input: { accountId }, retry: false }));
  const pods = useQuery(
    orpc.pods.now.queryOptions({
      input: { accountId },
      retry: false,
      enabled: hasPods,
      refetchInterval: useStatePollMs(accountId, PODS_MS),
    }),
  );
  const countOf = (list: readonly unknown[] | undefined): Note => ({ count: list?.length ?? 0 });
  return {
    // How many run while Hangar is away is not known.
    jobs: isLost ? undefined : counts && openJobs(counts),
    endpoints: countOf(endpoints.data?.rows),
    pods: countOf(pods.data?.rows),
    // This computer alone is no news.
    accounts: accounts && accounts.length > 1 ? countOf(accounts) : undefined,
  };
}

const wholeNote = ({ count, word }: Note): string =>
  word === undefined ? formatCount(count) : `${formatCount(count)} ${word}`;

/** Beside an icon there is room for about three characters. */
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 0 });
const shortNote = ({ count, word }: Note) => (
  <>
    {compact.format(count)}
    {word !== undefined && <VisuallyHidden> {word}</VisuallyHidden>}
  </>
);

export function Sidebar({ pages }: { pages: readonly ShellPage[] }) {
  const current = useRoute((route) => route.page);
  const notes = useNotes();
  const nav = useRef<HTMLElement>(null);
  // In a low window the last pages are out of sight.
  useEffect(() => {
    // In new browsers it answers a promise, which is no end of an effect.
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  const icons = useMediaQuery('(max-width: 1099px)', undefined, { getInitialValueInEffect: false });
  return (
    <nav ref={nav} className={styles.sidebar} aria-label={t`Pages`}>
      {pages.map(({ group, route, title, icon: Icon, key }, index) => {
        const note = notes[route];
        return (
          <Fragment key={route}>
            {group !== pages[index - 1]?.group && <b aria-hidden>{pageGroups[group]}</b>}
            <Tip label={key === null ? title : `${title} (${keyLabel(key)})`} position="right" disabled={!icons}>
              <a href={formatRoute(startOf(route))} aria-current={current === route ? 'page' : undefined}>
                <Icon size={15} strokeWidth={1.8} aria-hidden />
                <span>{title}</span>
                {note !== undefined && note.count > 0 && <em>{icons ? shortNote(note) : wholeNote(note)}</em>}
              </a>
            </Tip>
          </Fragment>
        );
      })}
    </nav>
  );
}
