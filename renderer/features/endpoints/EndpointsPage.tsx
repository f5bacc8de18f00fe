/** The Endpoints page: what can be run here, what its workers do, and how a new one begins. */
import { Button, Kbd } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { FileCode2, FolderOpen, Package, Plus, type LucideIcon } from 'lucide-react';
import { openNewEndpoint, type EndpointSource } from '../../state/overlays.ts';
import { navigate } from '../../state/route.ts';
import type { EndpointTab } from '../../state/routePath.ts';
import { useTarget } from '../../client/accounts.ts';
import { PageTitle } from '../../ui/page/PageTitle.tsx';
import { Unread } from '../../ui/domain/LoadError.tsx';
import { StaleNotice } from '../../ui/domain/StaleNotice.tsx';
import { Card } from '../../ui/primitives/Card.tsx';
import { formatCount } from '../../ui/text/format.ts';
import { Empty } from '../../ui/primitives/Notice.tsx';
import { Panes } from '../../ui/primitives/SplitPane.tsx';
import { EndpointsTable, TableSkeleton } from './EndpointsTable.tsx';

import { Inspector, InspectorSkeleton } from './Inspector.tsx';
import styles from '../../ui/theme/page.module.css';
import { NewEndpointSheet } from './settings/NewEndpointSheet.tsx';
import { useEndpointsNow } from './useEndpointsNow.ts';

const close = () => navigate({ page: 'endpoints', endpointId: null, tab: 'overview' });
/** A dialog or menu takes the key for itself. */
const isAbove = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role=dialog], [role=menu]') !== null;

export default function EndpointsPage({ endpointId, tab }: { endpointId: string | null; tab: EndpointTab }) {
  const { account, accountId, name: target } = useTarget();
  const { now, at, problem, retry } = useEndpointsNow(accountId);
  const row = now?.rows.find(({ id }) => id === endpointId);
  const open = (id: string) => navigate({ page: 'endpoints', endpointId: id, tab });
  useHotkeys([
    ['escape', (event) => endpointId !== null && !isAbove(event.target) && close()],
    ['n', () => openNewEndpoint('folder')],
  ]);

  return (
    <div className={styles.page}>
      <header className={styles.pageHead}>
        <PageTitle />
        {now && <span className={styles.count}>{formatCount(now.rows.length)}</span>}
        {now && now.rows.length > 0 && (
          <Button
            className={styles.create ?? ''}
            leftSection={<Plus size={14} aria-hidden />}
            rightSection={<Kbd>N</Kbd>}
            onClick={() => openNewEndpoint('folder')}
          >
            New endpoint on {target}
          </Button>
        )}
      </header>
      <Panes
        place="endpoints"
        leftSize="46%"
        whenNarrow="replace"
        left={
          <Card grow aria-label="List of endpoints" role="region">
            {now && problem !== null && (
              <StaleNotice at={at} problem={problem} retry={retry}>
                These are the last numbers that came.
              </StaleNotice>
            )}
            {!now && problem === null && <TableSkeleton />}
            {!now && problem !== null && (
              <Unread capability="management" title="The endpoints could not be read" problem={problem} retry={retry} />
            )}
            {now?.rows.length === 0 && <Begin target={target} />}
            {now && now.rows.length > 0 && (
              <EndpointsTable now={now} stale={problem !== null} openId={endpointId} onOpen={open} onClose={close} />
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
              account={account ?? null}
              tab={tab}
              onClose={close}
            />
          ) : (
            <Card grow aria-label="Endpoint" role="region">
              <Empty title="This endpoint is not here" action={<Button onClick={close}>Show all endpoints</Button>}>
                It was deleted, or it belongs to another account.
              </Empty>
            </Card>
          )
        }
      />
      <NewEndpointSheet accountId={accountId} target={target} onMade={open} />
    </div>
  );
}

const beginnings: readonly { source: EndpointSource; title: string; text: string; icon: LucideIcon }[] = [
  {
    source: 'folder',
    title: 'From a folder',
    text: 'A handler in Python or JavaScript, run as it is',
    icon: FolderOpen,
  },
  { source: 'image', title: 'From an image', text: 'The very container you deploy elsewhere', icon: Package },
  { source: 'sample', title: 'From a sample', text: 'A small handler to look at and to change', icon: FileCode2 },
];

function Begin({ target }: { target: string }) {
  return (
    <div className={styles.begin}>
      <strong>No endpoint on {target} yet</strong>
      <p>An endpoint is a queue with workers behind it. Begin with what you have:</p>
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
