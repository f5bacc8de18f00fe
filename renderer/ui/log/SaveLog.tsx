/** Saves the whole log, also the lines that are not loaded. While it runs, the button cancels it. */
import { useEffect, useRef, useState } from 'react';
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Download, X } from 'lucide-react';
import type { LogFeed } from '../../client/logFeed.ts';
import { errorText } from '../../client/transport/orpc.ts';
import { useCommands } from '../../state/commands.ts';
import { formatCount } from '../text/format.ts';
import type { LogMark } from './logLines.ts';
import { saveLog, savedWords } from './saveLog.ts';
import { counted, t } from '../../language/text.ts';

interface SaveLogProps {
  /** The label of the log, which becomes the name of the file. */
  label: string;
  /** Lines of the file that are no output: where a run of the program begins. */
  marks: readonly LogMark[];
  readAll: LogFeed['readAll'];
}

export function SaveLog({ label, marks, readAll }: SaveLogProps) {
  const running = useRef<AbortController | null>(null);
  /** Lines so far; null while nothing is saved. */
  const [lines, setLines] = useState<number | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function save(): Promise<void> {
    const abort = new AbortController();
    running.current = abort;
    setLines(0);
    try {
      const saved = await saveLog(await readAll(abort.signal), label, marks, setLines);
      const message = [savedWords(saved), ...(saved.missing === null ? [] : [saved.missing])].join(' ');
      notifications.show({ title: t`The log is saved`, message, autoClose: saved.missing === null ? 6000 : 20_000 });
    } catch (error) {
      if (abort.signal.aborted) return;
      notifications.show({ title: t`The log was not saved`, message: errorText(error), 'data-tone': 'bad' });
    } finally {
      running.current = null;
      setLines(null);
    }
  }
  useCommands([lines === null && { label: t`Save the whole log…`, run: () => void save() }]);

  if (lines !== null) {
    return (
      <Button
        size="compact-xs"
        variant="default"
        leftSection={<X size={12} aria-hidden />}
        aria-label={t`Cancel saving the log`}
        onClick={() => running.current?.abort()}
      >
        {t`Saving ${counted(lines, '{0} line', '{0} lines', formatCount(lines))}`}
      </Button>
    );
  }
  return (
    <Tooltip label={t`Save the whole log…`}>
      <ActionIcon aria-label={t`Save the whole log…`} onClick={() => void save()}>
        <Download size={14} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
