/** The rarer actions of an endpoint: in the menu of its row and in that of its details. */
import { Menu } from '@mantine/core';
import { CopyPlus, Eraser, Pause, Play, Trash2 } from 'lucide-react';
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import { useEndpointActions, type Question } from './useEndpointActions.ts';
import { t } from '../../../language/text.ts';

interface QuestionItemsProps {
  accountId: string;
  row: EndpointRow;
  onAsk: (question: Question) => void;
}

export function QuestionItems({ accountId, row, onAsk }: QuestionItemsProps) {
  const { duplicate, togglePause, isPaused, asksBefore } = useEndpointActions(accountId, row, onAsk);
  const PauseIcon = isPaused ? Play : Pause;
  return (
    <>
      <Menu.Item leftSection={<CopyPlus size={14} aria-hidden />} onClick={duplicate}>{t`Duplicate…`}</Menu.Item>
      <Menu.Item leftSection={<PauseIcon size={14} aria-hidden />} onClick={togglePause}>
        {isPaused ? t`Resume` : asksBefore ? t`Pause…` : t`Pause`}
      </Menu.Item>
      <Menu.Divider />
      {row.type === 'QB' && (
        <Menu.Item
          leftSection={<Eraser size={14} aria-hidden />}
          onClick={() => onAsk('purge')}
        >{t`Purge the queue…`}</Menu.Item>
      )}
      <Menu.Item
        leftSection={<Trash2 size={14} aria-hidden />}
        onClick={() => onAsk('remove')}
      >{t`Delete the endpoint…`}</Menu.Item>
    </>
  );
}
