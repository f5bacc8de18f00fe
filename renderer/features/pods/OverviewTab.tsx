/** A Pod at a glance: what is in its way, its numbers, its ports, its variables, what it is made of. */
import { useState, type ReactNode } from 'react';
import { ActionIcon, Anchor, Button, Tooltip } from '@mantine/core';
import { ExternalLink, Eye, EyeOff } from 'lucide-react';
import type { PodRow } from '#contract/bridge/pod.ts';
import { knownFields } from '#contract/api/lenient.ts';
import { CopyButton } from '../../ui/primitives/CopyButton.tsx';
import { joinCommand } from '../../ui/form/commandText.ts';
import { formatDuration, formatMoment, formatPercent } from '../../ui/text/format.ts';
import { Id } from '../../ui/primitives/Id.tsx';
import { formatMoney, formatPerHour } from '../../ui/text/money.ts';
import { Notice } from '../../ui/primitives/Notice.tsx';
import { OtherFields } from '../../ui/domain/OtherFields.tsx';
import overview from '../../ui/theme/overview.module.css';
import panel from '../../ui/theme/panel.module.css';
import { costSoFar, hardwareOf, loadOf, portsOf, stateOf } from './podState.ts';
import { SshBlock } from './SshBlock.tsx';
import styles from './pods.module.css';

interface OverviewTabProps {
  accountId: string;
  overSsh: boolean;
  row: PodRow;
}

export function OverviewTab({ accountId, overSsh, row }: OverviewTabProps) {
  return (
    <div className={panel.panel} tabIndex={0} role="region" aria-label={`Overview of ${row.pod.name}`}>
      <Trouble row={row} />
      <Notes notes={row.facts?.notes ?? []} />
      <Numbers row={row} />
      <Ports row={row} />
      {overSsh && <SshBlock accountId={accountId} pod={row.pod} />}
      <Variables env={row.pod.env} />
      <Facts row={row} />
      <OtherFields record={row.pod} known={knownFields.pod} />
    </div>
  );
}

function Trouble({ row }: { row: PodRow }) {
  const { state, why } = stateOf(row);
  if (state === 'running' || state === 'stopped') return null;
  const title = { preparing: 'It is being prepared.', failing: 'It does not run.', unreported: 'It starts.' }[state];
  return (
    <div className={overview.trouble}>
      <Notice tone={state === 'failing' ? 'bad' : 'wait'} title={title}>
        {why}
      </Notice>
    </div>
  );
}

/** What was set and does not hold, and why. */
function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <div className={overview.trouble}>
      <Notice tone="off" title="Accepted without effect:">
        {notes.length === 1 ? (
          notes[0]
        ) : (
          <ul className={styles.notes}>
            {notes.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        )}
      </Notice>
    </div>
  );
}

function Numbers({ row }: { row: PodRow }) {
  const { facts, pod } = row;
  const { gpu, gpuMemory, cpu, memory } = loadOf(row);
  const cost = costSoFar(row);
  const percent = (value: number | null) => (value === null ? '–' : formatPercent(value));
  const numbers: [string, string][] = [
    ['Up', facts?.runtime ? formatDuration(facts.runtime.uptimeInSeconds * 1000) : '–'],
    ...(pod.gpu === null
      ? []
      : ([
          ['GPU', percent(gpu)],
          ['GPU memory', percent(gpuMemory)],
        ] as [string, string][])),
    ['Processor', percent(cpu)],
    ['Memory', percent(memory)],
    ['Price', pod.costPerHr > 0 ? formatPerHour(pod.costPerHr) : 'not set'],
    ...(cost === null ? [] : ([['Since start', `≈ ${formatMoney(cost)}`]] as [string, string][])),
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

function Ports({ row }: { row: PodRow }) {
  const ports = portsOf(row);
  const { state } = stateOf(row);
  return (
    <section className={panel.block} aria-label="Ports">
      <h3>Ports</h3>
      {ports.length === 0 && <p className={panel.hint}>It has none. Add some in its settings.</p>}
      <ul className={styles.ports}>
        {ports.map(({ text, type, address }) => (
          <li key={text}>
            <code>{text}</code>
            {address === null ? (
              <span>{state === 'running' ? 'its address is not told' : 'not reached while it does not run'}</span>
            ) : (
              <>
                {type === 'http' ? (
                  <Anchor href={address} target="_blank" rel="noreferrer" className={styles.address ?? ''}>
                    {address}
                    <ExternalLink size={12} aria-label="opens in a new window" />
                  </Anchor>
                ) : (
                  <span className={styles.address}>{address}</span>
                )}
                <CopyButton text={address} what={`address of port ${text}`} />
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Variables({ env }: { env: Record<string, string> }) {
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set());
  const names = Object.keys(env);
  if (names.length === 0) return null;
  const all = names.every((name) => shown.has(name));
  return (
    <section className={panel.block} aria-label="Variables">
      <h3>Variables</h3>
      <dl className={styles.variables}>
        {names.map((name) => {
          const open = shown.has(name);
          const label = `${open ? 'Hide' : 'Show'} the value of ${name}`;
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
                <CopyButton text={() => env[name] ?? ''} what={`value of ${name}`} />
              </dd>
            </div>
          );
        })}
      </dl>
      {names.length > 1 && (
        <Button size="xs" variant="default" onClick={() => setShown(new Set(all ? [] : names))}>
          {all ? 'Hide all' : 'Show all'}
        </Button>
      )}
    </section>
  );
}

function Facts({ row }: { row: PodRow }) {
  const { pod } = row;
  const volume =
    pod.networkVolumeId !== null
      ? `network volume ${pod.networkVolumeId} at ${pod.volumeMountPath}`
      : pod.volumeInGb > 0
        ? `${pod.volumeInGb} GB at ${pod.volumeMountPath}`
        : 'none: nothing outlives its container';
  const facts: [string, ReactNode][] = [
    ['Image', <Id key="image" text={pod.imageName} what="image" />],
    ['Pod', <Id key="id" text={pod.id} what="Pod id" />],
    ['Runs on', hardwareOf(row)],
    ['Volume', volume],
    ['Disk', `${pod.containerDiskInGb} GB for its container`],
    ...(pod.dockerStartCmd.length > 0
      ? ([['Command', <code key="command">{joinCommand(pod.dockerStartCmd)}</code>]] as [string, ReactNode][])
      : []),
    ['Made', formatMoment(Date.parse(pod.createdAt))],
    ...(pod.lastStatusChange === '' ? [] : ([['Last change', pod.lastStatusChange]] as [string, ReactNode][])),
  ];
  return (
    <section className={panel.block} aria-label="Facts">
      <h3>Facts</h3>
      <dl className={overview.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
