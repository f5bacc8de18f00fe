/** The notifications that a browser shows: its permission, and a switch for each kind. */
import { useState } from 'react';
import { Stack, Switch } from '@mantine/core';
import { notificationKinds } from '#contract/app/notices/notificationKinds.ts';
import {
  askForNotices,
  browserNotices,
  switchKind,
  switchNotices,
  useNoticePermission,
  type NoticePermission,
} from '../../client/notices/browserNotices.ts';
import { useCommands } from '../../state/commands.ts';
import { ReasonField } from '../../ui/popover/ReasonField.tsx';
import { browserName } from './apiKeys/browserName.ts';
import { noticeLabels } from './noticeLabels.ts';
import styles from './settings.module.css';
import { joinSentences } from '../../language/sentences.ts';
import { t } from '../../language/text.ts';

const isSafari = (): boolean => browserName(navigator.userAgent).startsWith('Safari');

/** Why the browser shows none, and what to do; null if it can. */
const obstacles: Record<NoticePermission, { reason: string; remedy: () => string } | null> = {
  granted: null,
  default: null,
  denied: {
    reason: t`The browser blocks notifications from this page.`,
    remedy: () =>
      isSafari()
        ? t`To allow them, choose Settings > Websites > Notifications in Safari.`
        : t`To allow them, click the icon before the address of the page.`,
  },
  unsupported: {
    reason: t`This browser does not show notifications from pages.`,
    remedy: () => t`Use another one, or the desktop program.`,
  },
  insecure: {
    reason: t`Browsers do not show notifications from a page at an http address of another computer.`,
    remedy: () => t`Open the page through an SSH tunnel, or use the desktop program.`,
  },
};

type Question = 'not-asked' | 'open' | 'closed';
/** What became of the question of the browser, while it has no answer. */
const questions: Record<Question, string> = {
  'not-asked': t`The browser was not asked yet. It asks when you turn this on.`,
  open: t`The browser now asks for your permission. Answer it next to the address of the page.`,
  closed: t`You have not answered the question of the browser. Turn this on again, and allow notifications.`,
};

export function BrowserNotices() {
  const permission = useNoticePermission();
  const { isOn, off } = browserNotices.use();
  const [question, setQuestion] = useState<Question>('not-asked');
  const obstacle = obstacles[permission];
  const answered = permission === 'granted' ? t`The browser allows them for this page.` : questions[question];
  const state = obstacle === null ? answered : joinSentences(obstacle.reason, obstacle.remedy());
  const isShown = isOn && permission === 'granted';
  async function change(wanted: boolean): Promise<void> {
    if (!wanted) return switchNotices(false);
    setQuestion('open');
    const answer = await askForNotices();
    setQuestion('closed');
    if (answer === 'granted') switchNotices(true);
  }
  useCommands(
    notificationKinds.map(
      (kind) =>
        isShown && {
          label: off.includes(kind) ? t`Notification: turn on` : t`Notification: turn off`,
          description: noticeLabels[kind],
          run: () => switchKind(kind, off.includes(kind)),
        },
    ),
  );
  return (
    <section className={styles.block} aria-labelledby="notices">
      <h2 id="notices">{t`Notifications`}</h2>
      <p>{t`This browser shows them while Hangar is open in it, but not in front.`}</p>
      <Stack gap={12} px={14} pt={8}>
        <ReasonField whyNot={obstacle === null ? null : obstacle.reason}>
          <Switch
            label={t`Show notifications in this browser`}
            description={state}
            checked={isShown}
            onChange={(event) => void change(event.currentTarget.checked)}
          />
        </ReasonField>
        {obstacle === null &&
          notificationKinds.map((kind) => (
            <ReasonField key={kind} whyNot={isShown ? null : t`Turn on the notifications of this browser first.`}>
              <Switch
                label={noticeLabels[kind]}
                checked={!off.includes(kind)}
                onChange={(event) => switchKind(kind, event.currentTarget.checked)}
              />
            </ReasonField>
          ))}
      </Stack>
    </section>
  );
}
