/** A part of the program crashed: what was kept, and the report about it, until the person dismisses it. */
import { useState } from 'react';
import { Button, Group, Modal, Skeleton } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { CrashNotice } from '#contract/app/crash.ts';
import { dismissCrash, useCrashes } from '../../client/crashes.ts';
import { errorText, orpc } from '../../client/transport/orpc.ts';
import { navigate } from '../../state/route.ts';
import { startOf } from '../../state/routePath.ts';
import { CopyButton } from '../../ui/primitives/CopyButton.tsx';
import { Id } from '../../ui/primitives/Id.tsx';
import { Notice } from '../../ui/primitives/Notice.tsx';
import { crashTitles, crashWords } from '../../ui/text/crashLabels.ts';
import styles from './shell.module.css';
import { t } from '../../language/text.ts';

export function CrashBanners() {
  const notices = useCrashes((state) => state.notices);
  return notices.map((notice) => <CrashBanner key={notice.part} notice={notice} />);
}

function CrashBanner({ notice }: { notice: CrashNotice }) {
  const { part, report } = notice;
  const [isReading, setReading] = useState(false);
  const dismiss = useMutation({ mutationFn: () => dismissCrash(part) });
  return (
    <>
      <Notice
        tone="wait"
        title={crashTitles[part]}
        action={
          <Group gap={6} wrap="nowrap">
            {part === 'gpu' && (
              <Button
                size="xs"
                variant="default"
                onClick={() => navigate({ page: 'settings', tab: 'desktop' })}
              >{t`Settings`}</Button>
            )}
            {part === 'last-run' && (
              <Button size="xs" variant="default" onClick={() => navigate(startOf('jobs'))}>{t`Show jobs`}</Button>
            )}
            {report !== null && (
              <Button size="xs" variant="default" onClick={() => setReading(true)}>{t`Show report`}</Button>
            )}
            <Button
              size="xs"
              variant="default"
              loading={dismiss.isPending}
              onClick={() => dismiss.mutate()}
            >{t`Dismiss`}</Button>
          </Group>
        }
      >
        {crashWords(notice)} {report === null && part !== 'last-run' && t`A report could not be written.`}{' '}
        {dismiss.isError && errorText(dismiss.error)}
      </Notice>
      <Modal opened={isReading} onClose={() => setReading(false)} title={t`Report about a crash`} size={760}>
        {isReading && report !== null && <Report notice={notice} path={report} />}
      </Modal>
    </>
  );
}

function Report({ notice: { part, at }, path }: { notice: CrashNotice; path: string }) {
  const { data, error } = useQuery(
    orpc.host.crashes.report.queryOptions({ input: { part }, queryKey: ['crash-report', part, at], retry: false }),
  );
  if (error) {
    return (
      <Notice tone="bad" title={t`The report could not be read.`}>
        {errorText(error)}
      </Notice>
    );
  }
  return (
    <div className={styles.report}>
      <p>{t`It stays on this computer; Hangar does not send it. It contains no keys, no environment variables and no job inputs. Read it before you share it, because it contains paths of this computer.`}</p>
      <Id text={path} copyLabel={t`Copy path of the report`} />
      {data === undefined ? (
        <Skeleton h={280} radius={6} />
      ) : (
        <div className={styles.reportText}>
          <CopyButton text={data.text} label={t`Copy report`} />
          <pre tabIndex={0} aria-label={t`Text of the report`}>
            {data.text}
          </pre>
        </div>
      )}
    </div>
  );
}
