/** The menu of a row: what its details offer, without opening them. */
import { Menu } from '@mantine/core';
import { Copy, PanelRight, Play, ScrollText } from 'lucide-react';
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import { navigate } from '../../../state/route.ts';
import { copyText } from '../../../ui/clipboard/copyText.ts';
import { ContextMenu } from '../../../ui/popover/ContextMenu.tsx';
import { ReasonItem } from '../../../ui/popover/ReasonItem.tsx';
import { endpointAddress } from '../address.ts';
import { QuestionItems } from './QuestionItems.tsx';
import type { Question } from './useEndpointActions.ts';
import { t } from '../../../language/text.ts';

interface EndpointContextMenuProps {
  accountId: string;
  row: EndpointRow;
  /** The address of its account; null until it is known. */
  base: string | null;
  /** Where it opens, in pixels of the window. */
  at: { x: number; y: number };
  onOpen: (endpointId: string) => void;
  onAsk: (question: Question) => void;
  onClose: () => void;
}

export function EndpointContextMenu({ accountId, row, base, at, onOpen, onAsk, onClose }: EndpointContextMenuProps) {
  const { id, name, type } = row;
  const [address] = base === null ? [] : endpointAddress(row, base);
  const hasQueue = type === 'QB';
  return (
    <ContextMenu label={t`Actions for ${name}`} at={at} onClose={onClose}>
      {hasQueue && (
        <Menu.Item
          leftSection={<Play size={14} aria-hidden />}
          onClick={() => navigate({ page: 'run', endpointId: id })}
        >{t`Run`}</Menu.Item>
      )}
      <Menu.Item leftSection={<PanelRight size={14} aria-hidden />} onClick={() => onOpen(id)}>{t`Open`}</Menu.Item>
      <Menu.Item
        leftSection={<ScrollText size={14} aria-hidden />}
        onClick={() => navigate({ page: 'endpoints', endpointId: id, tab: 'logs' })}
      >{t`Logs`}</Menu.Item>
      <Menu.Divider />
      <ReasonItem
        leftSection={<Copy size={14} aria-hidden />}
        whyNot={address === undefined ? t`The address of the endpoint is not known yet.` : null}
        onClick={() => address !== undefined && void copyText(address, t`Copied address`)}
      >{t`Copy address`}</ReasonItem>
      <Menu.Item
        leftSection={<Copy size={14} aria-hidden />}
        onClick={() => void copyText(id, t`Copied endpoint id`)}
      >{t`Copy endpoint id`}</Menu.Item>
      <Menu.Divider />
      <QuestionItems accountId={accountId} row={row} onAsk={onAsk} />
    </ContextMenu>
  );
}
