/** The rarer actions of an endpoint, which are confirmed first: in the menu of its row and in that of its details. */
import { Menu } from '@mantine/core';
import { Eraser, Trash2 } from 'lucide-react';
import { t } from '../../../language/text.ts';

export type Question = 'purge' | 'remove';

interface QuestionItemsProps {
  /** An endpoint that balances load has no queue. */
  hasQueue: boolean;
  onAsk: (question: Question) => void;
}

export function QuestionItems({ hasQueue, onAsk }: QuestionItemsProps) {
  return (
    <>
      {hasQueue && (
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
