/** The Endpoints page: what can be run here, what its workers do, and how a new one begins. */
import { Button, Kbd } from '@mantine/core';
import { FileCode2, FilePlus2, FolderOpen, Package, Plus, type LucideIcon } from 'lucide-react';
import { useBackStep } from '../../state/backStep.ts';
import { useCommands } from '../../state/commands.ts';
import { openNewEndpoint, type EndpointSource } from '../../state/overlays.ts';
import { useLeaveFormerTarget } from '../../state/formerTarget.ts';
import { navigate } from '../../state/route.ts';
import type { EndpointTab } from '../../state/routePath.ts';
import { useTarget } from '../../client/accounts.ts';
import { useWhyNotNow } from '../../client/away.ts';
import { PageTitle } from '../../ui/page/PageTitle.tsx';
import { LoadError } from '../../ui/domain/LoadError.tsx';
import { StaleNotice } from '../../ui/domain/StaleNotice.tsx';
import { Card } from '../../ui/primitives/Card.tsx';
import { formatCount } from '../../ui/text/format.ts';
import { Empty } from '../../ui/primitives/Notice.tsx';
import { Panes } from '../../ui/primitives/SplitPane.tsx';
import { clearEndpointFilter, EndpointFilter, useFilteredEndpoints } from './list/EndpointFilter.tsx';
import { EndpointList } from './list/EndpointList.tsx';
import { TableSkeleton } from './list/EndpointsTable.tsx';

import { Inspector, InspectorSkeleton } from './Inspector.tsx';
import styles from '../../ui/theme/page.module.css';
import { NewEndpointSheet } from './settings/NewEndpointSheet.tsx';
import { useEndpointsNow } from './useEndpointsNow.ts';
import { NameInButton } from '../../ui/page/NameInButton.tsx';
import { ReasonButton } from '../../ui/popover/ReasonButton.tsx';
import { rich, t } from '../../language/text.ts';

const all = { page: 'endpoints', endpointId: null, tab: 'overview' } as const;
const close = () => navigate(all);

export default function EndpointsPage({ endpointId, tab }: { endpointId: string | null; tab: EndpointTab }) {
  const { account, accountId, name: target } = useTarget();
  const { now: known, at, problem, retry } = useEndpointsNow(accountId);
  // An old list that was empty says nothing about now.
  const now = problem !== null && known?.rows.length === 0 ? undefined : known;
  const filtered = useFilteredEndpoints(now?.rows ?? []);
  const row = now?.rows.find(({ id }) => id === endpointId);
  const whyNot = useWhyNotNow();
  const open = (id: string) => navigate({ page: 'endpoints', endpointId: id, tab });
  useLeaveFormerTarget(accountId, endpointId, all);
  useBackStep(endpointId !== null, close);
  useCommands([
    whyNot === null && { label: t`New endpoint on ${target}`, keys: 'N', run: () => openNewEndpoint('handler') },
    whyNot === null && { label: t`Endpoint from a folder`, run: () => openNewEndpoint('folder') },
    endpointId !== null && { label: t`Close the endpoint`, keys: 'Esc', run: close },
  ]);

  return (
    <div className={styles.page}>
      <header className={styles.pageHead}>
        <PageTitle />
        {now && (
          <span className={styles.count} aria-live="polite">
            {filtered.isFiltered
              ? t`${formatCount(filtered.rows.length)} of ${formatCount(now.rows.length)}`
              : formatCount(now.rows.length)}
          </span>
        )}
        {now && <EndpointFilter count={now.rows.length} />}
        {now && now.rows.length > 0 && (
          <ReasonButton
            className={styles.create ?? ''}
            leftSection={<Plus size={14} aria-hidden />}
            rightSection={<Kbd>N</Kbd>}
            whyNot={whyNot}
            onClick={() => openNewEndpoint('handler')}
          >{rich`New endpoint on ${<NameInButton name={target} />}`}</ReasonButton>
        )}
      </header>
      <Panes
        place="endpoints"
        leftSize="46%"
        whenNarrow="replace"
        left={
          <Card grow aria-label={t`List of endpoints`} role="region">
            {now && problem !== null && (
              <StaleNotice at={at} problem={problem} retry={retry}>{t`These are the last known numbers.`}</StaleNotice>
            )}
            {!now && problem === null && <TableSkeleton />}
            {!now && problem !== null && (
              <LoadError
                capability="management"
                title={t`The endpoints could not be read`}
                problem={problem}
                retry={retry}
              />
            )}
            {now?.rows.length === 0 && <Begin target={target} />}
            {filtered.isFiltered && filtered.rows.length === 0 && (
              <Empty
                title={t`No endpoint fits this search`}
                action={<Button variant="default" onClick={clearEndpointFilter}>{t`Show all endpoints`}</Button>}
              >{t`It looks for names, ids, folders and images.`}</Empty>
            )}
            {now && filtered.rows.length > 0 && (
              <EndpointList
                accountId={accountId}
                address={account?.address ?? null}
                now={{ ...now, rows: filtered.rows }}
                stale={problem !== null}
                openId={endpointId}
                onOpen={open}
                onClose={close}
              />
            )}
          </Card>
        }
        right={
          endpointId === null ? null : !now ? (
            <InspectorSkeleton />
          ) : row ? (
            <Inspector
              key={row.id}
              accountId={accountId}
              row={row}
              pause={now.pause}
              stale={problem !== null}
              account={account ?? null}
              tab={tab}
              onClose={close}
            />
          ) : (
            <Card grow aria-label={t`Endpoint`} role="region">
              <Empty
                title={t`Endpoint not found`}
                action={<Button onClick={close}>{t`Show all endpoints`}</Button>}
              >{t`It was deleted, or it belongs to another account.`}</Empty>
            </Card>
          )
        }
      />
      <NewEndpointSheet accountId={accountId} target={target} onMade={open} />
    </div>
  );
}

const beginnings: readonly { source: EndpointSource; title: string; text: string; icon: LucideIcon }[] = [
  { source: 'handler', title: t`New handler`, text: t`A folder in Python or Node, ready to run`, icon: FilePlus2 },
  {
    source: 'folder',
    title: t`From a folder`,
    text: t`Your own handler in Python or JavaScript`,
    icon: FolderOpen,
  },
  { source: 'image', title: t`From an image`, text: t`The same container that you deploy elsewhere`, icon: Package },
  { source: 'sample', title: t`From a sample`, text: t`A small handler to try and change`, icon: FileCode2 },
];

function Begin({ target }: { target: string }) {
  return (
    <div className={styles.begin}>
      <strong>{t`No endpoints on ${target} yet`}</strong>
      <p>{t`An endpoint is a queue with workers. Start with what you have:`}</p>
      <div className={styles.ways}>
        {beginnings.map(({ source, title, text, icon: Icon }) => (
          <button key={source} type="button" className={styles.way} onClick={() => openNewEndpoint(source)}>
            <Icon size={20} strokeWidth={1.6} aria-hidden />
            <b>{title}</b>
            <span>{text}</span>
          </button>
        ))}
      </div>
    </div>
  );
}
