/** The tabs of one job: output, log, chunks, whatever its place adds, and raw answer. The output can always be copied and saved. */
import { useMemo, useState, type ReactNode } from 'react';
import { ActionIcon, Tabs, Tooltip } from '@mantine/core';
import { Download } from 'lucide-react';
import { isOver } from '#contract/app/jobs/times.ts';
import type { LedgerChunk, LedgerEntry } from '#contract/app/ledger.ts';
import type { PendingOutput } from '../../client/jobs/longOutput.ts';
import { CopyButton } from '../primitives/CopyButton.tsx';
import { lazyPart } from '../primitives/lazyPart.ts';
import { LogViewSkeleton } from '../log/LogSkeleton.tsx';
import { saveFile } from '../files/saveFile.ts';
import { TabBar } from '../tabs/TabBar.tsx';
import { formatCount } from '../text/format.ts';
import { ChunkList } from './ChunkList.tsx';
import styles from './job.module.css';
import { ReadingOutput } from './ReadingOutput.tsx';
import { OutputView } from './OutputView.tsx';
import { outputFile, outputText } from './outputFile.ts';
import { statusText } from './statusText.ts';
import { hasEmptyResult, StreamedNote } from './stream/StreamedNote.tsx';
import { RateBar } from './stream/RateBar.tsx';
import { TextView } from './TextView.tsx';
import { t } from '../../language/text.ts';

const JobLog = lazyPart(() => import('./JobLog.tsx'), <LogViewSkeleton />);

interface JobTabsProps {
  entry: LedgerEntry;
  chunks: readonly LedgerChunk[];
  output: string | null;
  /** A long output that is still read; `output` is null then. */
  pendingOutput?: PendingOutput | null;
  extras?: readonly { name: string; content: ReactNode }[];
  /** The tab that a person chose, and what takes another choice; without them, each job begins with its output. */
  tab?: string;
  onTab?: (tab: string) => void;
}

export function JobTabs({ entry, chunks, output, pendingOutput = null, extras = [], ...chosen }: JobTabsProps) {
  const [ownTab, setOwnTab] = useState('output');
  const { tab = ownTab, onTab: setTab = setOwnTab } = chosen;
  const chunkCount = Math.max(entry.chunkCount, chunks.length);
  const chunkTab = chunkCount === 0 ? [] : [{ value: 'chunks', title: t`Chunks ${formatCount(chunkCount)}` }];
  // It comes while the job runs, and its count grows: at the end it moves no other tab. Behind many others it would have
  // no room in the row.
  const isLast = extras.length === 0;
  const tabs = [
    { value: 'output', title: t`Output` },
    // What a person needs of a failed job first.
    { value: 'log', title: t`Log` },
    ...(isLast ? [] : chunkTab),
    ...extras.map(({ name }) => ({ value: name, title: name })),
    { value: 'raw', title: t`Raw` },
    ...(isLast ? chunkTab : []),
  ];
  // A new attempt begins without chunks.
  const shown = tabs.some(({ value }) => value === tab) ? tab : 'output';
  return (
    <Tabs value={shown} onChange={(next) => setTab(next ?? 'output')} keepMounted={false}>
      <TabBar label={t`Job`} tabs={tabs} value={shown}>
        {/* The other tabs have buttons of their own for what they show. */}
        {shown === 'output' && pendingOutput === null && (output !== null || chunks.length > 0) && (
          <span className={styles.tabActions}>
            <CopyButton text={() => outputText({ output, chunks })} label={t`Copy output`} size={26} />
            <SaveButton entry={entry} chunks={chunks} output={output} />
          </span>
        )}
      </TabBar>
      <Tabs.Panel value="output">
        <OutputView
          key={entry.entryId}
          entry={entry}
          chunks={chunks}
          output={output}
          pendingOutput={pendingOutput}
          onLog={() => setTab('log')}
        />
        <RateBar chunks={chunks} over={isOver(entry)} />
      </Tabs.Panel>
      <Tabs.Panel value="chunks">
        <ChunkList key={entry.entryId} chunks={chunks} startedAt={entry.startedAt ?? entry.sentAt} />
      </Tabs.Panel>
      {extras.map(({ name, content }) => (
        <Tabs.Panel key={name} value={name}>
          {content}
        </Tabs.Panel>
      ))}
      <Tabs.Panel value="raw">
        {pendingOutput === null ? <RawAnswer entry={entry} output={output} /> : <ReadingOutput {...pendingOutput} />}
        {pendingOutput === null && hasEmptyResult({ entry, chunks, output }) && (
          <p className={styles.note}>
            <StreamedNote isKnown operation="status" />
          </p>
        )}
      </Tabs.Panel>
      <Tabs.Panel value="log">
        <JobLog entry={entry} />
      </Tabs.Panel>
    </Tabs>
  );
}

/** Laid out only while it is shown: that takes seconds for an answer of many megabytes. */
function RawAnswer({ entry, output }: Pick<JobTabsProps, 'entry' | 'output'>) {
  const text = useMemo(() => statusText(entry, output), [entry, output]);
  return <TextView text={text} what={t`status answer`} copyLabel={t`Copy status answer`} language="JSON" />;
}

function SaveButton({ entry, chunks, output }: Pick<JobTabsProps, 'entry' | 'chunks' | 'output'>) {
  const save = () => {
    const { bytes, name } = outputFile({ entry, chunks, output });
    saveFile(bytes, name);
  };
  return (
    <Tooltip label={t`Save output`}>
      <ActionIcon aria-label={t`Save output`} size={26} onClick={save}>
        <Download size={13} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
