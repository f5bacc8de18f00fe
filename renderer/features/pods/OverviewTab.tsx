/** A summary of a Pod: its problems, measurements, ports, variables and specification. */
import { useState, type ReactNode } from 'react';
import { ActionIcon, Anchor, Button, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ExternalLink, Eye, EyeOff } from 'lucide-react';
import { costPerHourNow } from '#contract/app/podCost.ts';
import type { PodRow } from '#contract/bridge/pod.ts';
import { knownFields } from '#contract/api/lenient.ts';
import { isOnOtherComputer } from '../../client/otherComputer.ts';
import { orpc } from '../../client/transport/orpc.ts';
import { CopyButton } from '../../ui/primitives/CopyButton.tsx';
import { joinCommand } from '../../ui/form/commandText.ts';
import { withFieldLabels } from '../../ui/text/fieldLabels.ts';
import { formatMoment, formatPercent, formatUptime, formatWhen } from '../../ui/text/format.ts';
import { FactsBlock, fact } from '../../ui/primitives/DescriptionList.tsx';
import { Id } from '../../ui/primitives/Id.tsx';
import { formatPerHour } from '../../ui/text/money.ts';
import { RouteLink } from '../../ui/primitives/RouteLink.tsx';
import { OtherFields } from '../../ui/domain/OtherFields.tsx';
import overview from '../../ui/theme/overview.module.css';
import panel from '../../ui/theme/panel.module.css';
import { AutoStopFacts } from './autoStop/AutoStopFacts.tsx';
import { hardwareOf, limitWords, loadOf, portsOf } from './podState.ts';
import { changeWords, stateOf, type PodState } from '../../ui/text/podWords.ts';
import { EngineSsh } from './connect/EngineSsh.tsx';
import { ForwardBlock } from './connect/ForwardBlock.tsx';
import { SshBlock } from './connect/SshBlock.tsx';
import { tunnelCommand } from './connect/tunnelCommand.ts';
import styles from './pods.module.css';
import { rich, t } from '../../language/text.ts';

interface OverviewTabProps {
  accountId: string;
  overSsh: boolean;
  row: PodRow;
}

export function OverviewTab({ accountId, overSsh, row }: OverviewTabProps) {
  return (
    <div className={panel.panel} tabIndex={0} role="region" aria-label={t`Overview of ${row.pod.name}`}>
      <Numbers row={row} />
      <AutoStopFacts row={row} />
      <Ports accountId={accountId} row={row} />
      {overSsh ? <SshBlock accountId={accountId} pod={row.pod} /> : <EngineSsh accountId={accountId} pod={row.pod} />}
      <ForwardBlock accountId={accountId} pod={row.pod} />
      <Variables env={row.pod.env} />
      <Facts accountId={accountId} row={row} />
      <OtherFields record={row.pod} known={knownFields.pod} />
    </div>
  );
}

/** Settings without effect, each with the reason. */
const Notes = ({ notes }: { notes: readonly string[] }) => (
  <ul className={styles.notes}>
    {notes.map((text) => (
      <li key={text}>{withFieldLabels(text)}</li>
    ))}
  </ul>
);

function Numbers({ row }: { row: PodRow }) {
  const { facts, pod } = row;
  const { gpu, gpuMemory, cpu, memory } = loadOf(row);
  const percent = (value: number | null) => (value === null ? '–' : formatPercent(value));
  const numbers: [string, string][] = [
    [t`Up`, facts?.runtime ? formatUptime(facts.runtime.uptimeInSeconds * 1000) : '–'],
    ...(pod.gpu === null ? [] : [fact(t`GPU`, percent(gpu)), fact(t`GPU memory`, percent(gpuMemory))]),
    [t`CPU`, percent(cpu)],
    [t`Memory`, percent(memory)],
  ];
  return (
    <dl className={`${overview.numbers} ${styles.numbers}`}>
      {numbers.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Why a port has no address. */
const unreachable: Partial<Record<PodState, string>> = {
  running: t`address not reported`,
  stopped: t`not reachable while stopped`,
};

function Ports({ accountId, row }: { accountId: string; row: PodRow }) {
  const ports = portsOf(row);
  const { state } = stateOf(row);
  return (
    <section className={panel.block} aria-label={t`Ports`}>
      <h3>{t`Ports`}</h3>
      {ports.length === 0 && <p className={panel.hint}>{t`None. Add ports in the settings.`}</p>}
      <ul className={styles.ports}>
        {ports.map(({ text, type, address }) => (
          <li key={text}>
            <code>{text}</code>
            {address === null ? (
              <span>{unreachable[state] ?? t`not reachable while it is not running`}</span>
            ) : (
              <>
                {type === 'http' ? (
                  <Anchor href={address} target="_blank" rel="noreferrer" className={styles.address ?? ''}>
                    {address}
                    <ExternalLink size={12} aria-label={t`opens in a new window`} />
                  </Anchor>
                ) : (
                  <span className={styles.address}>{address}</span>
                )}
                <CopyButton text={address} label={t`Copy address of port ${text}`} />
              </>
            )}
          </li>
        ))}
      </ul>
      {isOnOtherComputer() && <FromHere command={tunnelCommand(accountId, ports, location.hostname)} />}
    </section>
  );
}

/** What to run on the computer of this browser, to which the addresses of localhost lead. */
function FromHere({ command }: { command: string | null }) {
  if (command === null) return null;
  return (
    <div className={styles.fromHere}>
      <p
        className={panel.hint}
      >{t`These addresses exist only on the computer that runs Hangar, and this page is open on a different one. Run this command in a terminal here. While it runs, they open here, too:`}</p>
      <div>
        <code>{command}</code>
        <CopyButton text={command} label={t`Copy command that forwards the ports`} />
      </div>
      <p
        className={panel.hint}
      >{t`It signs in over SSH to the computer that runs Hangar. Put name@ before the address if your user name there is different.`}</p>
    </div>
  );
}

function Variables({ env }: { env: Record<string, string> }) {
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set());
  const names = Object.keys(env);
  if (names.length === 0) return null;
  const all = names.every((name) => shown.has(name));
  return (
    <section className={panel.block} aria-label={t`Variables`}>
      <h3>{t`Variables`}</h3>
      <dl className={styles.variables}>
        {names.map((name) => {
          const open = shown.has(name);
          const label = open ? t`Hide the value of ${name}` : t`Show the value of ${name}`;
          const toggle = () =>
            setShown(new Set(open ? [...shown].filter((other) => other !== name) : [...shown, name]));
          return (
            <div key={name}>
              <dt title={name}>{name}</dt>
              <dd>
                <span>{open ? env[name] : '••••••'}</span>
                <Tooltip label={label}>
                  <ActionIcon size={22} aria-label={label} onClick={toggle}>
                    {open ? <EyeOff size={13} aria-hidden /> : <Eye size={13} aria-hidden />}
                  </ActionIcon>
                </Tooltip>
                <CopyButton text={() => env[name] ?? ''} label={t`Copy value of ${name}`} />
              </dd>
            </div>
          );
        })}
      </dl>
      {names.length > 1 && (
        <Button size="xs" variant="default" onClick={() => setShown(new Set(all ? [] : names))}>
          {all ? t`Hide all` : t`Show all`}
        </Button>
      )}
    </section>
  );
}

/** The network volume of a Pod by its name, where the account tells it, as a link to its files. */
function NetworkVolume({ accountId, volumeId }: { accountId: string; volumeId: string }) {
  const { data } = useQuery(orpc.resources.now.queryOptions({ input: { accountId }, retry: false }));
  const name = data?.volumes.find(({ id }) => id === volumeId)?.name;
  return (
    <RouteLink accountId={accountId} to={{ page: 'resources', tab: 'volumes', volumeId, path: '' }}>
      {name === undefined || name === '' ? volumeId : name}
    </RouteLink>
  );
}

function Facts({ accountId, row }: { accountId: string; row: PodRow }) {
  const { pod } = row;
  const limits = limitWords(row);
  const notes = row.facts?.notes ?? [];
  const volume =
    pod.networkVolumeId !== null ? (
      <span key="volume">
        {rich`network volume ${<NetworkVolume accountId={accountId} volumeId={pod.networkVolumeId} />} at ${pod.volumeMountPath}`}
      </span>
    ) : pod.volumeInGb > 0 ? (
      t`${pod.volumeInGb} GB at ${pod.volumeMountPath}`
    ) : (
      t`None: files are lost with the container`
    );
  const facts: [string, ReactNode][] = [
    [t`Image`, <Id key="image" text={pod.imageName} copyLabel={t`Copy image`} />],
    [t`Pod`, <Id key="id" text={pod.id} copyLabel={t`Copy Pod id`} />],
    [t`Runs on`, hardwareOf(row)],
    ...(limits === null ? [] : [fact(t`May use`, limits)]),
    // The head has the price of a Pod that costs something now, and what it has cost.
    ...(costPerHourNow(row) > 0 ? [] : [fact(t`Price`, pod.costPerHr > 0 ? formatPerHour(pod.costPerHr) : t`not set`)]),
    [t`Volume`, volume],
    [t`Disk`, t`${pod.containerDiskInGb} GB for its container`],
    ...(notes.length === 0 ? [] : [fact(t`No effect`, <Notes key="notes" notes={notes} />)]),
    ...(pod.dockerStartCmd.length > 0
      ? [fact(t`Command`, <code key="command">{joinCommand(pod.dockerStartCmd)}</code>)]
      : []),
    [
      t`Created`,
      <span key="created" title={formatMoment(Date.parse(pod.createdAt))}>
        {formatWhen(Date.parse(pod.createdAt))}
      </span>,
    ],
    ...(pod.lastStatusChange === '' ? [] : [fact(t`Last change`, changeWords(pod.lastStatusChange))]),
  ];
  return <FactsBlock title={t`Facts`} facts={facts} />;
}
