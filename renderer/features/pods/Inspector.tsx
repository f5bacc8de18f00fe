/** Everything about one Pod, beside the list. */
import { useState } from 'react';
import { Tabs, Tooltip } from '@mantine/core';
import { Lock } from 'lucide-react';
import { costPerHourNow } from '#contract/app/podCost.ts';
import type { PodLack } from '#contract/bridge/pod.ts';
import { useCommands } from '../../state/commands.ts';
import { navigate } from '../../state/route.ts';
import { podTabs, type PodTab } from '../../state/routePath.ts';
import { InspectorHead } from '../../ui/page/InspectorHead.tsx';
import { Card } from '../../ui/primitives/Card.tsx';
import { TabBar } from '../../ui/tabs/TabBar.tsx';
import styles from '../../ui/theme/inspector.module.css';
import { hasRule } from './autoStop/autoStopWords.ts';
import { EventsTab } from './events/EventsTab.tsx';
import { RenameDialog } from './actions/RenameDialog.tsx';
import { FilesTab } from './FilesTab.tsx';
import { JsonTab } from './JsonTab.tsx';
import { LogsTab } from './LogsTab.tsx';
import { MetricsTab } from './metrics/MetricsTab.tsx';
import { OverviewTab } from './OverviewTab.tsx';
import { PodTrouble } from './PodTrouble.tsx';
import { PodActions } from './PodActions.tsx';
import type { ConfirmedChange } from './podChanges.ts';
import { PodChip } from './PodChip.tsx';
import { PodDialog } from './PodDialog.tsx';
import { costSoFar, whyNoTerminal } from './podState.ts';
import type { PodRow } from '#contract/bridge/pod.ts';
import { stateOf, type ShownPod } from '../../ui/text/podWords.ts';
import { formatEstimate, formatPerHour } from '../../ui/text/money.ts';
import podStyles from './pods.module.css';
import { SettingsTab } from './settings/SettingsTab.tsx';
import { LazyTerminalTab } from './terminal/LazyTerminalTab.tsx';
import { t } from '../../language/text.ts';

interface InspectorProps {
  accountId: string;
  /** The account as a title: "This computer". */
  accountTitle: string;
  /** Whether its terminals and files use SSH, as in Pods outside of Hangar's engines. */
  overSsh: boolean;
  /** Whether running costs money. */
  spends: boolean;
  lacks: readonly PodLack[];
  row: ShownPod;
  /** The same Pod as its account answered it, for the JSON. */
  record: PodRow;
  /** What the container engine lacks, which the page says already; null if it answers. */
  containerProblem: string | null;
  tab: PodTab;
  /** What the tab of files shows first. */
  path?: string | undefined;
  onClose: () => void;
}

const titles: Record<PodTab, string> = {
  logs: t`Logs`,
  overview: t`Overview`,
  metrics: t`Metrics`,
  events: t`Events`,
  terminal: t`Terminal`,
  files: t`Files`,
  settings: t`Settings`,
  json: 'JSON',
};

export function Inspector({
  accountId,
  accountTitle,
  overSsh,
  spends,
  lacks,
  row,
  record,
  containerProblem,
  tab: requested,
  path,
  onClose,
}: InspectorProps) {
  const [isRenaming, setRenaming] = useState(false);
  const [asking, setAsking] = useState<ConfirmedChange | null>(null);
  const { pod } = row;
  const noEvents = lacks.find(({ what }) => what === 'events');
  const isLacking = (name: PodTab): boolean =>
    name === 'events' ? noEvents !== undefined && !hasRule(row) : lacks.some(({ what }) => what === name);
  const tabs = podTabs.filter((name) => !isLacking(name));
  const tab = tabs.includes(requested) ? requested : (tabs[0] ?? 'overview');
  const show = (next: string | null) => {
    const known = podTabs.find((name) => name === next);
    if (known) navigate({ page: 'pods', podId: pod.id, tab: known }, { replace: true });
  };
  useCommands([
    ...tabs
      .filter((name) => name !== tab)
      .map((name) => ({ label: t`Show ${titles[name]} of ${pod.name}`, run: () => show(name) })),
  ]);
  return (
    <Card grow aria-label={t`Pod`} role="region">
      <InspectorHead
        name={pod.name}
        what={t`Pod`}
        marks={
          <>
            <PodChip {...stateOf(row)} />
            {pod.locked && (
              <Tooltip label={t`Locked: it cannot be stopped, reset or deleted`}>
                <Lock size={13} role="img" aria-label={t`Locked`} />
              </Tooltip>
            )}
          </>
        }
        facts={<HeadFacts accountTitle={accountTitle} row={row} />}
        hasLink
        onClose={onClose}
      >
        <PodActions
          accountId={accountId}
          overSsh={overSsh}
          spends={spends}
          lacks={lacks}
          row={row}
          onAsk={setAsking}
          onRename={() => setRenaming(true)}
        />
      </InspectorHead>
      <Tabs value={tab} onChange={show} keepMounted={false}>
        <TabBar label={t`Pod`} tabs={tabs.map((name) => ({ value: name, title: titles[name] }))} value={tab} />
        <PodTrouble accountId={accountId} row={row} />
        <Tabs.Panel value="overview">
          <OverviewTab accountId={accountId} overSsh={overSsh} row={row} />
        </Tabs.Panel>
        <Tabs.Panel value="logs">
          <LogsTab accountId={accountId} pod={pod} containerProblem={containerProblem} />
        </Tabs.Panel>
        <Tabs.Panel value="metrics">
          <MetricsTab accountId={accountId} row={row} />
        </Tabs.Panel>
        <Tabs.Panel value="events">
          <EventsTab accountId={accountId} pod={row.pod} byApp={noEvents !== undefined} />
        </Tabs.Panel>
        <Tabs.Panel value="terminal">
          <LazyTerminalTab key={pod.id} accountId={accountId} pod={pod} whyNot={whyNoTerminal(row)} />
        </Tabs.Panel>
        <Tabs.Panel value="files">
          <FilesTab accountId={accountId} overSsh={overSsh} row={row} routePath={path} />
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <SettingsTab accountId={accountId} row={row} lacks={lacks} onEngine={!overSsh} />
        </Tabs.Panel>
        <Tabs.Panel value="json">
          <JsonTab row={record} />
        </Tabs.Panel>
      </Tabs>
      <PodDialog accountId={accountId} row={row} kind={asking} onClose={() => setAsking(null)} onRemove={onClose} />
      {isRenaming && <RenameDialog accountId={accountId} pod={pod} onClose={() => setRenaming(false)} />}
    </Card>
  );
}

/** The account of a Pod and what it costs now. */
function HeadFacts({ accountTitle, row }: Pick<InspectorProps, 'accountTitle' | 'row'>) {
  const costPerHr = costPerHourNow(row);
  const cost = costSoFar(row);
  return (
    <p>
      <span className={podStyles.account}>{accountTitle}</span>
      {costPerHr > 0 && (
        <span>
          {formatPerHour(costPerHr)}
          {cost !== null && ` · ${t`${formatEstimate(cost)} since its start`}`}
        </span>
      )}
    </p>
  );
}

export const InspectorSkeleton = () => (
  <Card grow aria-label={t`Pod`} role="region" aria-busy>
    <header className={styles.inspectorHead} />
    <div className={styles.panelSkeleton} />
  </Card>
);
