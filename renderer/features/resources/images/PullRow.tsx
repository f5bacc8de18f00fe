/** One pull of an image: how far it is, or how it ended, and what can be done. */
import { Button, Progress } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Check, CircleAlert, Download } from 'lucide-react';
import type { ImagePull, ImagePullRequest } from '#contract/local/image.ts';
import { speedOf } from '../../../client/files/speed.ts';
import { api, errorText } from '../../../client/transport/orpc.ts';
import { LastButton } from '../../../ui/files/transfers/LastButton.tsx';
import { MiddleCut } from '../../../ui/files/MiddleCut.tsx';
import { useNow } from '../../../ui/primitives/useNow.ts';
import { formatFileSize, formatPercent } from '../../../ui/text/format.ts';
import type { PullNow } from './usePulls.ts';
import rows from '../../../ui/theme/progressRows.module.css';
import { counted, t } from '../../../language/text.ts';

/** Interval at which the speed is written anew. */
const EVERY_MS = 1000;

const icons = { PULLING: Download, DONE: Check, FAILED: CircleAlert };

interface PullRowProps {
  accountId: string;
  pull: PullNow;
  onAgain: (request: ImagePullRequest) => void;
  /** Removes a pull that its engine does not know any more. */
  onForgetLost: (id: string) => void;
}

export function PullRow({ accountId, pull, onAgain, onForgetLost }: PullRowProps) {
  const { id, name, state, percent, containerRegistryAuthId, isLost } = pull;
  const isRunning = state === 'PULLING';
  const now = useNow(isRunning ? EVERY_MS : null);
  const remove = useMutation({ mutationFn: () => api.machine.removePull({ accountId, pullId: id }) });
  const Icon = icons[state];
  return (
    <li data-state={state}>
      <Icon size={14} aria-hidden />
      <b>
        <MiddleCut text={name} title={name} />
      </b>
      <span className={rows.how}>
        {isRunning && <Progress value={percent ?? 0} size="sm" aria-label={t`Pull of ${name}`} />}
        <span>{remove.isError ? errorText(remove.error) : wordsOf(pull, now)}</span>
      </span>
      {state === 'FAILED' && (
        <Button
          size="xs"
          variant="default"
          aria-label={t`Try again: ${name}`}
          onClick={() => onAgain({ name, ...(containerRegistryAuthId !== null && { containerRegistryAuthId }) })}
        >{t`Try again`}</Button>
      )}
      <LastButton
        stop={t`Stop`}
        stopLabel={t`Stop the pull of ${name}`}
        onStop={isRunning ? () => remove.mutate() : null}
        isStopping={remove.isPending}
        forgetLabel={t`Forget ${name}`}
        onForget={() => (isLost ? onForgetLost(id) : remove.mutate())}
      />
    </li>
  );
}

const layersOf = ({ layers, layersDone }: ImagePull): string =>
  t`${layersDone} of ${counted(layers, '{0} layer', '{0} layers')}`;

/**
 * "17 % · 412 MB of 1.2 GB downloaded · 22 MB/s · 3 of 9 layers", or how it ended. The percentage counts the unpacking,
 * too.
 */
function wordsOf(pull: PullNow, now: number): string {
  const { state, problem, percent, downloadedBytes, totalBytes, layers, points } = pull;
  if (state === 'FAILED') return problem ?? t`Failed`;
  if (state === 'DONE') {
    if (layers === 0) return t`Nothing was downloaded: it was up to date`;
    return downloadedBytes > 0 ? t`Pulled, ${formatFileSize(downloadedBytes)} downloaded` : t`Pulled`;
  }
  if (percent === null) return t`Asking the registry…`;
  const share = formatPercent(percent);
  if (totalBytes !== null && downloadedBytes >= totalBytes) return t`${share} · unpacking · ${layersOf(pull)}`;
  const speed = speedOf(points, now);
  return [
    share,
    totalBytes === null
      ? t`${formatFileSize(downloadedBytes)} downloaded so far`
      : t`${formatFileSize(downloadedBytes)} of ${formatFileSize(totalBytes)} downloaded`,
    speed === 0 ? t`no progress for a while` : speed !== null && t`${formatFileSize(Math.round(speed))}/s`,
    layersOf(pull),
  ]
    .filter((fact) => typeof fact === 'string')
    .join(' · ');
}
