/** The tabs of one job: output, chunks, raw answer, and whatever its place adds. */
import type { ReactNode } from 'react';
import { Tabs } from '@mantine/core';
import type { LedgerChunk, LedgerEntry } from '#contract/app/ledger.ts';
import { formatCount } from '../text/format.ts';
import { ChunkList } from './ChunkList.tsx';
import { OutputView } from './OutputView.tsx';
import { statusText } from './statusText.ts';
import { TextView } from './TextView.tsx';

interface JobTabsProps {
  entry: LedgerEntry;
  chunks: readonly LedgerChunk[];
  output: string | null;
  extras?: readonly { name: string; content: ReactNode }[];
}

export function JobTabs({ entry, chunks, output, extras = [] }: JobTabsProps) {
  return (
    <Tabs defaultValue="output" keepMounted={false}>
      <Tabs.List aria-label="Job">
        <Tabs.Tab value="output">Output</Tabs.Tab>
        <Tabs.Tab value="chunks">Chunks {formatCount(Math.max(entry.chunkCount, chunks.length))}</Tabs.Tab>
        {extras.map(({ name }) => (
          <Tabs.Tab key={name} value={name}>
            {name}
          </Tabs.Tab>
        ))}
        <Tabs.Tab value="raw">Raw</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="output">
        <OutputView key={entry.entryId} entry={entry} chunks={chunks} output={output} />
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
        <TextView text={statusText(entry, output)} what="status answer" />
      </Tabs.Panel>
    </Tabs>
  );
}
