/** The items that all menus of a Pod share: links to its ports, and its changes. */
import { Menu } from '@mantine/core';
import { CopyPlus, Eraser, ExternalLink, PencilLine, RotateCw, Trash2 } from 'lucide-react';
import type { PodLack } from '#contract/bridge/pod.ts';
import { openNewPod } from '../../../state/overlays.ts';
import { ReasonItem } from '../../../ui/popover/ReasonItem.tsx';
import type { ShownPod } from '../../../ui/text/podWords.ts';
import { whyBusy, whyNotStoppable, type ConfirmedChange } from '../podChanges.ts';
import type { PageLink } from '../settings/gallery/programs.ts';
import { t } from '../../../language/text.ts';

/** What a menu of a Pod needs to know. */
export interface PodMenuParts {
  row: ShownPod;
  /** The actions that its account does not offer. */
  lacks: readonly PodLack[];
  /** Opens the confirmation dialog. */
  onAsk: (kind: ConfirmedChange) => void;
  /** Opens the dialog for another name. */
  onRename: () => void;
}

/** Opens the sheet for a new Pod with the settings of this one. */
export const duplicatePod = ({ pod, autoStop, facts }: ShownPod): void =>
  openNewPod({ like: pod, autoStop: autoStop?.rules, limits: facts?.limits });

/** A link for each http port. */
export function PageItems({ pages }: { pages: readonly PageLink[] }) {
  return pages.map(({ title, address }) => (
    <Menu.Item
      key={address}
      component="a"
      href={address}
      target="_blank"
      rel="noreferrer"
      leftSection={<ExternalLink size={14} aria-hidden />}
    >
      {title}
    </Menu.Item>
  ));
}

/** Restarts a running Pod. */
export function RestartItem({ row, onAsk }: Pick<PodMenuParts, 'row' | 'onAsk'>) {
  return (
    <ReasonItem
      leftSection={<RotateCw size={14} aria-hidden />}
      whyNot={whyBusy(row)}
      onClick={() => onAsk('restart')}
    >{t`Restart…`}</ReasonItem>
  );
}

/** The last items of a menu, and below them why some cannot be used. */
export function PodChangeItems({ row, lacks, onAsk, onRename }: PodMenuParts) {
  const noReset = lacks.find(({ what }) => what === 'reset');
  const whyNot = whyNotStoppable(row);
  return (
    <>
      <Menu.Item
        leftSection={<CopyPlus size={14} aria-hidden />}
        onClick={() => duplicatePod(row)}
      >{t`Duplicate…`}</Menu.Item>
      <Menu.Item leftSection={<PencilLine size={14} aria-hidden />} onClick={onRename}>{t`Rename…`}</Menu.Item>
      <ReasonItem
        leftSection={<Eraser size={14} aria-hidden />}
        whyNot={noReset?.reason ?? whyNot}
        onClick={() => onAsk('reset')}
      >{t`Reset…`}</ReasonItem>
      <ReasonItem
        leftSection={<Trash2 size={14} aria-hidden />}
        whyNot={whyNot}
        onClick={() => onAsk('remove')}
      >{t`Delete…`}</ReasonItem>
      {noReset && <Menu.Label>{noReset.reason}</Menu.Label>}
      {whyNot !== null && <Menu.Label>{whyNot}</Menu.Label>}
    </>
  );
}
