/** The Pods page: a person's own containers, what they do and cost, and how a new one begins. */
import { Button, Kbd } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { Plus } from 'lucide-react';
import { openNewPod } from '../../state/overlays.ts';
import { navigate } from '../../state/route.ts';
import type { PodTab } from '../../state/routePath.ts';
import { useTarget } from '../../client/accounts.ts';
import { PageTitle } from '../../ui/page/PageTitle.tsx';
import { Unread } from '../../ui/domain/LoadError.tsx';
import { StaleNotice } from '../../ui/domain/StaleNotice.tsx';
import { Card } from '../../ui/primitives/Card.tsx';
import { formatCount } from '../../ui/text/format.ts';
import { Empty, Notice } from '../../ui/primitives/Notice.tsx';
import styles from '../../ui/theme/page.module.css';
import { Panes } from '../../ui/primitives/SplitPane.tsx';
import { Inspector, InspectorSkeleton } from './Inspector.tsx';
import { PodsTable, TableSkeleton } from './PodsTable.tsx';
import { DeploySheet } from './settings/DeploySheet.tsx';
import { usePodsNow } from './usePodsNow.ts';

const close = () => navigate({ page: 'pods', podId: null, tab: 'overview' });
/** A dialog or menu takes the key for itself. */
const isAbove = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role=dialog], [role=menu]') !== null;

export default function PodsPage({ podId, tab }: { podId: string | null; tab: PodTab }) {
  const { account, accountId, name: target, spends } = useTarget();
  const { now, at, problem, retry } = usePodsNow(accountId);
  const row = now?.rows.find(({ pod }) => pod.id === podId);
  const open = (id: string) => navigate({ page: 'pods', podId: id, tab });
  useHotkeys([
    ['escape', (event) => podId !== null && !isAbove(event.target) && close()],
    ['n', () => openNewPod()],
  ]);

  return (
    <div className={styles.page}>
      <header className={styles.pageHead}>
        <PageTitle />
        {now && <span className={styles.count}>{formatCount(now.rows.length)}</span>}
        {now && (
          <Button
            className={styles.create ?? ''}
            leftSection={<Plus size={14} aria-hidden />}
            rightSection={<Kbd>N</Kbd>}
            data-spends={spends || undefined}
            onClick={() => openNewPod()}
          >
            Deploy on {target}
            {spends && ' · costs money'}
          </Button>
        )}
      </header>
      <Panes
        place="pods"
        leftSize="46%"
        whenNarrow="replace"
        left={
          <Card grow aria-label="List of Pods" role="region">
            {now && problem !== null && (
              <StaleNotice at={at} problem={problem} retry={retry}>
                This is the last that came.
              </StaleNotice>
            )}
            {now && now.containerProblem !== null && (
              <Notice
                tone="bad"
                title="Pods cannot run here now."
                action={
                  <Button size="xs" variant="default" onClick={() => navigate({ page: 'machine' })}>
                    This computer
                  </Button>
                }
              >
                {now.containerProblem}
              </Notice>
            )}
            {!now && problem === null && <TableSkeleton />}
            {!now && problem !== null && (
              <Unread capability="pods" title="The Pods could not be read" problem={problem} retry={retry} />
            )}
            {now?.rows.length === 0 && (
              <Empty title={`No Pods on ${target}`}>
                A Pod is a container of your own, with terminals, ports and a volume that stays. Deploy one from an
                image or a template.
              </Empty>
            )}
            {now && now.rows.length > 0 && (
              <PodsTable rows={now.rows} stale={problem !== null} openId={podId} onOpen={open} onClose={close} />
            )}
          </Card>
        }
        right={
          podId === null ? null : !now ? (
            <InspectorSkeleton />
          ) : row ? (
            <Inspector
              key={row.pod.id}
              accountId={accountId}
              overSsh={account?.kind === 'cloud'}
              spends={spends}
              lacks={now.lacks}
              row={row}
              tab={tab}
              onClose={close}
            />
          ) : (
            <Card grow aria-label="Pod" role="region">
              <Empty title="This Pod is not here" action={<Button onClick={close}>Show all Pods</Button>}>
                It was deleted, or it belongs to another account.
              </Empty>
            </Card>
          )
        }
      />
      <DeploySheet
        {...{ accountId, target, spends }}
        // Commands are written in the description's words.
        address={account?.dialect === 'v1' ? account.addresses.management : null}
        onMade={open}
      />
    </div>
  );
}
