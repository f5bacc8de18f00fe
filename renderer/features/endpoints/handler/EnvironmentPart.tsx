/** The environment of a handler's folder: offered, how far it is, and how it ended. */
import { useEffect } from 'react';
import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Check, LoaderCircle } from 'lucide-react';
import type { EnvironmentSource, EnvironmentState } from '#contract/local/folder.ts';
import { useStatePollMs } from '../../../client/changes/pushed.ts';
import { usePollMs } from '../../../client/transport/live.ts';
import { api, errorText, orpc, queryClient } from '../../../client/transport/orpc.ts';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import panel from '../../../ui/theme/panel.module.css';
import { endpointsChanged } from '../../../ui/endpoint/endpointsChanged.ts';
import { LastLines } from './LastLines.tsx';
import styles from './handler.module.css';
import { t } from '../../../language/text.ts';

interface EnvironmentPartProps {
  accountId: string;
  endpointId: string;
  /** What it can be made of; null where nothing is missing, or nothing says what belongs into it. */
  source: EnvironmentSource | null;
  /** Whether the handler runs in an environment of its folder: then the packages are installed there. */
  isThere: boolean;
  /** Whether the template names a Python, which goes before the environment. */
  isOverruled: boolean;
}

const installers: Record<EnvironmentSource, string> = { 'uv.lock': 'uv', 'requirements.txt': 'pip' };

const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

export function EnvironmentPart({ accountId, endpointId, source, isThere, isOverruled }: EnvironmentPartProps) {
  const input = { accountId, endpointId };
  const pollMs = useStatePollMs(accountId, usePollMs());
  const query = useQuery(
    orpc.folders.environment.queryOptions({
      input,
      refetchInterval: ({ state }) => (source !== null || state.data?.state === 'making' ? pollMs : false),
      retry: false,
    }),
  );
  const show = (state: EnvironmentState) =>
    queryClient.setQueryData(orpc.folders.environment.queryKey({ input }), state);
  const make = useMutation({ mutationFn: () => api.folders.makeEnvironment(input), onSuccess: show });
  const stop = useMutation({ mutationFn: () => api.folders.stopEnvironment(input), onSuccess: show });
  const now = query.data;
  const isMade = now?.state === 'made';
  // The endpoint tells its new Python, and offers no other environment.
  useEffect(() => {
    if (isMade) void endpointsChanged();
  }, [isMade]);
  const failure = make.error ?? stop.error;

  const begin = (label: string) => (
    <Button size="xs" variant="default" loading={make.isPending} onClick={() => make.mutate()}>
      {label}
    </Button>
  );
  return (
    <div className={styles.environment} aria-live="polite">
      {failure !== null && (
        <Notice tone="bad" title={t`This did not work.`}>
          {errorText(failure)}
        </Notice>
      )}
      {now === undefined && query.isError && (
        <Notice tone="wait" title={t`Its environment could not be read.`}>
          {errorText(query.error)}
        </Notice>
      )}
      {now?.state === 'making' && (
        <>
          <div className={styles.line}>
            <p className={styles.text}>
              <LoaderCircle size={13} aria-hidden className={styles.turning} />
              {now.step ?? t`Creating .venv`}…
            </p>
            <Button
              size="xs"
              variant="default"
              loading={stop.isPending}
              onClick={() => stop.mutate()}
            >{t`Stop`}</Button>
          </div>
          <LastLines lines={now.lines} label={t`Output of the installer`} />
        </>
      )}
      {now?.state === 'failed' && source !== null && (
        <>
          <Notice
            tone="bad"
            title={isThere ? t`The packages were not installed.` : t`The environment was not created.`}
          >
            {now.problem !== null && asSentence(now.problem)}{' '}
            {t`Correct ${source} or the problem named below, then try again.`}
          </Notice>
          <LastLines lines={now.lines} label={t`Last lines of the installer`} />
          <div className={styles.actions}>{begin(t`Try again`)}</div>
        </>
      )}
      {now?.state === 'made' && source === null && (
        <p className={styles.text}>
          <Check size={13} aria-hidden data-tone="ok" />
          {isOverruled
            ? t`.venv is ready. Hangar uses it if you let Hangar choose the Python above.`
            : t`.venv is ready, and new workers use it.`}
        </p>
      )}
      {source !== null && (now?.state === 'none' || now?.state === 'stopped' || now?.state === 'made') && (
        <div className={styles.line}>
          <div className={styles.chosen}>
            <p className={styles.text}>
              {now.state === 'stopped' && !isThere
                ? t`Stopped and removed.`
                : t`The packages of ${source} are not installed yet.`}
            </p>
            <p className={panel.hint}>
              {isOverruled && !isThere
                ? t`${installers[source]} installs them into .venv of the folder, used if you let Hangar choose the Python above.`
                : isThere
                  ? t`${installers[source]} installs them into the environment of the folder. New workers have them.`
                  : t`${installers[source]} installs them into .venv of the folder. New workers use it.`}
            </p>
          </div>
          {begin(isThere ? t`Install them` : t`Create an environment`)}
        </div>
      )}
    </div>
  );
}
