/** The update channel, and the result of the last check. Only the desktop program has it. */
import { Progress } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { updateChannels } from '#contract/bridge/updates.ts';
import { checkForUpdates, chooseUpdateChannel, useUpdates } from '../../client/updates.ts';
import { errorText, useConnection } from '../../client/transport/orpc.ts';
import { useCommands } from '../../state/commands.ts';
import { UpdateChoices } from '../../ui/domain/UpdateChoices.tsx';
import { Fact, Facts } from '../../ui/primitives/DescriptionList.tsx';
import { Id } from '../../ui/primitives/Id.tsx';
import { formatMoment } from '../../ui/text/format.ts';
import { channelLabels, updateWords } from '../../ui/text/updateLabels.ts';
import styles from './settings.module.css';
import { ReasonButton } from '../../ui/popover/ReasonButton.tsx';
import { ReasonField } from '../../ui/popover/ReasonField.tsx';
import { Segments } from '../../ui/tabs/Segments.tsx';
import { t } from '../../language/text.ts';

/** States in which a check is not useful. */
const busy = ['checking', 'downloading', 'ready', 'waiting', 'installing'];

export function UpdatesBlock() {
  const status = useUpdates((updates) => updates.status);
  const connected = useConnection((connection) => connection.state === 'open');
  const check = useMutation({ mutationFn: checkForUpdates });
  const choose = useMutation({ mutationFn: chooseUpdateChannel });
  const canCheck = connected && status !== null && !busy.includes(status.state);
  useCommands([canCheck && { label: t`Check for updates`, run: () => check.mutate() }]);
  if (status === null) return null;
  const { state, current, channel, progress, manual, command, checkedAt } = status;
  const failure = check.error ?? choose.error;
  return (
    <section className={styles.block} aria-labelledby="updates">
      <h2 id="updates">{t`Updates`}</h2>
      <p>{t`Hangar checks for updates when it starts and every six hours. It installs no update while a job, an image pull, a file transfer or a terminal is active.`}</p>
      <Facts>
        <Fact name={t`Runs`}>{current}</Fact>
        <Fact name={t`Channel`}>
          <ReasonField
            whyNot={
              !connected
                ? t`Not connected to Hangar.`
                : choose.isPending
                  ? t`The channel is being changed.`
                  : state === 'installing'
                    ? t`An update is being installed.`
                    : null
            }
          >
            <Segments
              aria-label={t`Update channel`}
              data={updateChannels.map((value) => ({ value, label: channelLabels[value] }))}
              value={channel}
              onChange={(value) => choose.mutate(updateChannels.find((known) => known === value) ?? 'stable')}
            />
          </ReasonField>
        </Fact>
        <Fact name={t`State`}>
          <span role="status">{updateWords(status)}</span>
          {progress !== null && progress.totalBytes > 0 && (
            <Progress
              mt={6}
              w={260}
              size="sm"
              value={(100 * progress.doneBytes) / progress.totalBytes}
              aria-label={t`Update download`}
            />
          )}
        </Fact>
        {manual !== null && <Fact name={t`By hand`}>{manual}</Fact>}
        {command !== null && (
          <Fact name={t`Command`}>
            <Id text={command} copyLabel={t`Copy command`} />
          </Fact>
        )}
        {checkedAt !== null && <Fact name={t`Checked`}>{formatMoment(checkedAt)}</Fact>}
      </Facts>
      <div className={styles.actions}>
        <ReasonButton
          size="xs"
          variant="default"
          whyNot={!connected ? t`Not connected to Hangar.` : busy.includes(state) ? updateWords(status) : null}
          loading={check.isPending}
          onClick={() => check.mutate()}
        >{t`Check for updates`}</ReasonButton>
        <UpdateChoices status={status} />
        {failure !== null && <span role="alert">{errorText(failure)}</span>}
      </div>
    </section>
  );
}
