/** The Pods page: the person's containers, their load and cost, and the deployment of a new one. */
import { Button, Kbd } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Plus } from 'lucide-react';
import { costPerHourNow } from '#contract/app/podCost.ts';
import { useBackStep } from '../../state/backStep.ts';
import { useCommands } from '../../state/commands.ts';
import { openNewPod } from '../../state/overlays.ts';
import { useLeaveFormerTarget } from '../../state/formerTarget.ts';
import { navigate } from '../../state/route.ts';
import type { PodTab } from '../../state/routePath.ts';
import { useTarget } from '../../client/accounts.ts';
import { useWhyNotNow } from '../../client/away.ts';
import { PageTitle } from '../../ui/page/PageTitle.tsx';
import { LoadError } from '../../ui/domain/LoadError.tsx';
import { StaleNotice } from '../../ui/domain/StaleNotice.tsx';
import { Card } from '../../ui/primitives/Card.tsx';
import { formatCount } from '../../ui/text/format.ts';
import { formatPerHour } from '../../ui/text/money.ts';
import { Empty, Notice } from '../../ui/primitives/Notice.tsx';
import styles from '../../ui/theme/page.module.css';
import { Panes } from '../../ui/primitives/SplitPane.tsx';
import { Inspector, InspectorSkeleton } from './Inspector.tsx';
import { podsChanged, usePodWorks } from '../../ui/pod/podWork.ts';
import { podCountWords, type ShownPod } from '../../ui/text/podWords.ts';
import { PodList } from './list/PodList.tsx';
import { TableSkeleton } from './list/PodsTable.tsx';
import { DeploySheet } from './settings/DeploySheet.tsx';
import { NoPods } from './NoPods.tsx';
import { withoutRepeat } from './podState.ts';
import { usePodsNow } from './usePodsNow.ts';
import { NameInButton } from '../../ui/page/NameInButton.tsx';
import { ReasonButton } from '../../ui/popover/ReasonButton.tsx';
import { rich, t } from '../../language/text.ts';

/** Why nothing can be deployed; the list says how to get one. */
const needsEngine = t`Pods need a container engine.`;
const all = { page: 'pods', podId: null, tab: 'logs' } as const;
const close = () => navigate(all);

interface PodsPageProps {
  podId: string | null;
  tab: PodTab;
  /** What the tab of files shows first. */
  path?: string;
}

export default function PodsPage({ podId, tab, path }: PodsPageProps) {
  const { account, accountId, title, name: target, spends } = useTarget();
  const { now: known, at, problem, retry } = usePodsNow(accountId);
  // An old list that was empty says nothing about now.
  const now = problem !== null && known?.rows.length === 0 ? undefined : known;
  const works = usePodWorks();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(
    () => now?.rows.map((one): ShownPod => ({ ...withoutRepeat(one, now), work: works.get(one.pod.id) ?? null })) ?? [],
    [now, works],
  );
  const row = rows.find(({ pod }) => pod.id === podId);
  const open = (id: string) => navigate({ page: 'pods', podId: id, tab });
  const obstacle = now?.containerProblem ?? null;
  const away = useWhyNotNow();
  const whyNot = away ?? (obstacle === null ? null : needsEngine);
  useLeaveFormerTarget(accountId, podId, all);
  useBackStep(podId !== null, close);
  useCommands([
    whyNot === null && { label: t`Deploy a Pod on ${target}`, keys: 'N', run: () => openNewPod() },
    // A cloud has no container engine that could be there later.
    account?.kind !== 'cloud' && { label: t`Check again for a container engine`, run: () => void podsChanged() },
    podId !== null && { label: t`Close the Pod`, keys: 'Esc', run: close },
  ]);

  return (
    <div className={styles.page}>
      <header className={styles.pageHead}>
        <PageTitle />
        {now && <span className={styles.count}>{formatCount(now.rows.length)}</span>}
        <StateCount rows={rows} />
        {now && <DeployButton target={target} spends={spends} whyNot={whyNot} />}
      </header>
      <Panes
        place="pods"
        leftSize="46%"
        whenNarrow="replace"
        left={
          <Card grow aria-label={t`List of Pods`} role="region">
            {now && problem !== null && (
              <StaleNotice at={at} problem={problem} retry={retry}>{t`This is the last known data.`}</StaleNotice>
            )}
            {now && now.containerProblem !== null && (
              <NoPods problem={now.containerProblem} hasPods={now.rows.length > 0} />
            )}
            {now && now.factsProblem !== null && (
              <Notice tone="wait" title={t`The state of the Pods could not be read.`}>
                {now.factsProblem}
              </Notice>
            )}
            {!now && problem === null && <TableSkeleton />}
            {!now && problem !== null && (
              <LoadError capability="pods" title={t`The Pods could not be read`} problem={problem} retry={retry} />
            )}
            {now?.rows.length === 0 && now.containerProblem === null && (
              <Empty
                title={t`No Pods on ${target}`}
              >{t`A Pod is your own container, with terminals, ports and a persistent volume. Deploy one from an image or a template.`}</Empty>
            )}
            {now && now.rows.length > 0 && (
              <PodList
                key={accountId}
                accountId={accountId}
                overSsh={account?.kind === 'cloud'}
                spends={spends}
                lacks={now.lacks}
                rows={rows}
                stale={problem !== null}
                chosen={chosen}
                onChosen={setChosen}
                openId={podId}
                onOpen={open}
                onClose={close}
              />
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
              accountTitle={title}
              overSsh={account?.kind === 'cloud'}
              spends={spends}
              lacks={now.lacks}
              row={row}
              record={now.rows.find(({ pod }) => pod.id === podId) ?? row}
              containerProblem={now.containerProblem}
              tab={tab}
              path={path}
              onClose={close}
            />
          ) : (
            <Card grow aria-label={t`Pod`} role="region">
              <Empty
                title={t`Pod not found`}
                action={<Button onClick={close}>{t`Show all Pods`}</Button>}
              >{t`It was deleted, or it belongs to another account.`}</Empty>
            </Card>
          )
        }
      />
      <DeploySheet
        accountId={accountId}
        target={target}
        spends={spends}
        // Commands use the names of the description.
        address={account?.dialect === 'v1' ? account.addresses.management : null}
        hasMachine={account?.capabilities.includes('local') === true}
        obstacle={obstacle}
        onMade={open}
      />
    </div>
  );
}

interface DeployButtonProps {
  /** The name of the target in the middle of a sentence. */
  target: string;
  spends: boolean;
  /** Why no Pod can be deployed there now; null if one can. */
  whyNot: string | null;
}

function DeployButton({ target, spends, whyNot }: DeployButtonProps) {
  return (
    <ReasonButton
      className={styles.create ?? ''}
      leftSection={<Plus size={14} aria-hidden />}
      rightSection={<Kbd>N</Kbd>}
      data-spends={spends || undefined}
      whyNot={whyNot}
      onClick={() => openNewPod()}
    >
      {spends
        ? rich`Deploy on ${<NameInButton name={target} />} · costs money`
        : rich`Deploy on ${<NameInButton name={target} />}`}
    </ReasonButton>
  );
}

/** The states of all Pods, and what they cost together; nothing while there are none. */
function StateCount({ rows }: { rows: readonly ShownPod[] }) {
  const perHour = rows
    .filter(({ pod }) => pod.desiredStatus === 'RUNNING')
    .reduce((sum, row) => sum + costPerHourNow(row), 0);
  if (rows.length === 0) return null;
  return (
    <span className={styles.count}>
      {podCountWords(rows)}
      {perHour > 0 && ` · ${formatPerHour(perHour)}`}
    </span>
  );
}
