/** What takes how much of the disk of a computer, measured on request. */
import { Progress, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { DiskPart, DiskUsage } from '#contract/local/disk/usage.ts';
import { useWhyNotNow } from '../../../client/away.ts';
import { errorText, orpc } from '../../../client/transport/orpc.ts';
import { useCommands } from '../../../state/commands.ts';
import { Unknown } from '../../../ui/domain/LoadError.tsx';
import { Card, CardHead } from '../../../ui/primitives/Card.tsx';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import { RouteLink } from '../../../ui/primitives/RouteLink.tsx';
import { formatFileSize, formatMemory, formatWhen } from '../../../ui/text/format.ts';
import styles from './disk.module.css';
import { ReasonButton } from '../../../ui/popover/ReasonButton.tsx';
import { counted, t } from '../../../language/text.ts';

export function DiskCard({ accountId }: { accountId: string }) {
  // A measurement reads all files of volumes: only a person starts one.
  const measurement = useQuery(
    orpc.machine.disk.queryOptions({ input: { accountId }, enabled: false, retry: false, staleTime: Infinity }),
  );
  const { data, dataUpdatedAt, error, isFetching, refetch } = measurement;
  const whyNot = useWhyNotNow();
  useCommands([whyNot === null && { label: t`Measure the disk`, run: () => void refetch() }]);
  return (
    <Card aria-label={t`Disk`}>
      <CardHead title={t`Disk`}>
        <ReasonButton size="xs" variant="default" loading={isFetching} whyNot={whyNot} onClick={() => void refetch()}>
          {data ? t`Measure again` : t`Measure`}
        </ReasonButton>
      </CardHead>
      {error !== null && !isFetching && <Unknown title={t`The disk was not measured.`} problem={errorText(error)} />}
      {data && (
        <>
          <Usage accountId={accountId} usage={data} />
          <p className={styles.words}>{t`Measured at ${formatWhen(dataUpdatedAt)}`}</p>
        </>
      )}
      {!data && isFetching && <Skeleton h={10} w="60%" m={14} radius={4} />}
      {!data && !isFetching && error === null && (
        <p className={styles.words}>
          {t`Shows what images, containers, volumes, logs and databases take, and what can be freed. It reads all files of volumes, which takes up to half a minute.`}
        </p>
      )}
    </Card>
  );
}

const holders: Record<DiskUsage['disks'][number]['holds'][number], string> = {
  data: t`data`,
  containers: t`images and containers`,
};

interface UsageProps {
  accountId: string;
  usage: DiskUsage;
}

function Usage({ accountId, usage: { disks, parts, containerProblem } }: UsageProps) {
  return (
    <>
      {disks.map(({ holds, totalBytes, freeBytes }) => {
        const of = disks.length > 1 ? t`Disk of ${holds.map((one) => holders[one]).join(', ')}` : t`Whole disk`;
        return (
          <div key={holds.join()} className={styles.whole}>
            <span>{of}</span>
            <b>{t`${formatMemory(freeBytes)} free of ${formatMemory(totalBytes)}`}</b>
            <Progress
              size="sm"
              value={((totalBytes - freeBytes) / totalBytes) * 100}
              aria-label={t`Used part: ${of}`}
            />
          </div>
        );
      })}
      {containerProblem !== null && (
        <Notice tone="off" title={t`Images and containers are not measured.`}>
          {containerProblem}
        </Notice>
      )}
      <ul className={styles.parts} aria-label={t`Parts of the disk`}>
        {parts.map((part) => (
          <li key={part.kind}>
            <span>
              {nameOf(part)}
              {part.kind === 'images' && <Freeable accountId={accountId} bytes={part.freeableBytes} />}
              {part.kind === 'reserve' && <em>{t`Running jobs can end on a full disk.`}</em>}
            </span>
            <b>{part.isWhole ? formatFileSize(part.bytes) : t`at least ${formatFileSize(part.bytes)}`}</b>
          </li>
        ))}
      </ul>
    </>
  );
}

function nameOf({ kind, count }: DiskPart): string {
  const many = count ?? 0;
  switch (kind) {
    case 'images':
      return counted(many, '{0} image', '{0} images');
    case 'containers':
      return counted(many, '{0} container of Pods and workers', '{0} containers of Pods and workers');
    case 'volumes':
      return counted(many, '{0} volume', '{0} volumes');
    case 'logs':
      return t`Logs`;
    case 'databases':
      return t`Databases`;
    case 'backups':
      return t`Database backups`;
    case 'reserve':
      return t`Reserve`;
    case 'other':
      return t`Other data of Hangar`;
  }
}

/** What the removal of unused images frees; the way to them alone where it is not known. */
function Freeable({ accountId, bytes }: { accountId: string; bytes: number | null }) {
  if (bytes === 0) return <em>{t`All in use`}</em>;
  return (
    <em>
      {bytes !== null && <>{t`Removing unused ones frees at least ${formatFileSize(bytes)}.`} </>}
      <RouteLink
        accountId={accountId}
        to={{ page: 'resources', tab: 'images', volumeId: null, path: '' }}
      >{t`Remove unused…`}</RouteLink>
    </em>
  );
}
