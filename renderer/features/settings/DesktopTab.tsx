/** Settings of the desktop program: tray, background, login, and notifications. */
import { Skeleton, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { DesktopChange } from '#contract/bridge/host.ts';
import { notificationKinds } from '#contract/app/notices/notificationKinds.ts';
import { api, errorText, orpc } from '../../client/transport/orpc.ts';
import { useCommands } from '../../state/commands.ts';
import { LoadError } from '../../ui/domain/LoadError.tsx';
import { Empty, Notice } from '../../ui/primitives/Notice.tsx';
import { SavedSwitch } from '../../ui/saved/SavedSwitch.tsx';
import { noticeLabels } from './noticeLabels.ts';
import styles from './settings.module.css';
import { ReasonField } from '../../ui/popover/ReasonField.tsx';
import { t } from '../../language/text.ts';

/** As wide as the other blocks of settings. */
const spacing = { gap: 12, px: 14, pt: 8 };

export function DesktopTab() {
  const queries = useQueryClient();
  const options = orpc.host.desktop.queryOptions({ retry: false });
  const { data, error, refetch } = useQuery(options);
  const change = useMutation({
    mutationFn: (wanted: DesktopChange) => api.host.changeDesktop(wanted),
    onSuccess: (state) => queries.setQueryData(options.queryKey, state),
  });
  useCommands(
    notificationKinds.map((kind) => {
      const isOn = data?.settings.notify[kind];
      return (
        isOn !== undefined && {
          label: isOn ? t`Notification: turn off` : t`Notification: turn on`,
          description: noticeLabels[kind],
          run: () => change.mutate({ notify: { [kind]: !isOn } }),
        }
      );
    }),
  );
  if (error && !data) {
    return (
      <LoadError
        source="app"
        title={t`The settings could not be read`}
        problem={errorText(error)}
        retry={() => void refetch()}
      />
    );
  }
  if (data === undefined) return <Skeleton h={160} radius={8} />;
  if (data === null)
    return <Empty title={t`Only in the desktop program`} children={t`These settings need the desktop program.`} />;
  const { settings, openAtLogin, trayProblem, loginProblem } = data;
  const { showTray, closeToTray, keepAwake, drawWithGpu, notify } = settings;
  return (
    <div className={styles.body}>
      <section className={styles.block} aria-labelledby="background">
        <h2 id="background">{t`Background`}</h2>
        <Stack {...spacing}>
          <SavedSwitch
            label={t`Show Hangar in the tray`}
            description={trayProblem ?? t`Shows the state, pauses the machine, and opens the window`}
            error={trayProblem !== null}
            checked={showTray}
            onChange={(isOn) => change.mutateAsync({ showTray: isOn })}
          />
          <ReasonField whyNot={trayProblem ?? (showTray ? null : t`Show Hangar in the tray first.`)}>
            <SavedSwitch
              label={t`Keep running when the last window is closed`}
              description={t`Jobs continue, and the tray reopens the window. Without a tray, closing the last window quits Hangar.`}
              checked={closeToTray}
              onChange={(isOn) => change.mutateAsync({ closeToTray: isOn })}
            />
          </ReasonField>
          <ReasonField whyNot={loginProblem}>
            <SavedSwitch
              label={t`Start Hangar when I log in`}
              description={loginProblem ?? t`It starts in the tray, without a window`}
              checked={openAtLogin}
              onChange={(isOn) => change.mutateAsync({ openAtLogin: isOn })}
            />
          </ReasonField>
          <SavedSwitch
            label={t`Keep this computer awake while a job runs`}
            description={t`It does not go to sleep automatically. The display turns off as usual.`}
            checked={keepAwake}
            onChange={(isOn) => change.mutateAsync({ keepAwake: isOn })}
          />
        </Stack>
        {change.isError && (
          <Notice tone="bad" title={t`Not changed.`}>
            {errorText(change.error)}
          </Notice>
        )}
      </section>
      <section className={styles.block} aria-labelledby="drawing">
        <h2 id="drawing">{t`Windows`}</h2>
        <Stack {...spacing}>
          <SavedSwitch
            label={t`Hardware acceleration`}
            description={t`Draws the window with the GPU. Turn it off if windows flicker, stay empty or crash. Takes effect at the next start. Jobs use the GPU either way.`}
            checked={drawWithGpu}
            onChange={(isOn) => change.mutateAsync({ drawWithGpu: isOn })}
          />
        </Stack>
      </section>
      <section className={styles.block} aria-labelledby="notices">
        <h2 id="notices">{t`Notifications`}</h2>
        <p>{t`Shown by the system while no window of Hangar has the focus.`}</p>
        <Stack {...spacing}>
          {notificationKinds.map((kind) => (
            <SavedSwitch
              key={kind}
              label={noticeLabels[kind]}
              checked={notify[kind]}
              onChange={(isOn) => change.mutateAsync({ notify: { [kind]: isOn } })}
            />
          ))}
        </Stack>
      </section>
    </div>
  );
}
