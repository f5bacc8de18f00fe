/** The target account with its state; its menu has the other accounts. */
import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { useTarget } from '../../../client/accounts.ts';
import { useEngine } from '../../../client/engine.ts';
import { useConnection } from '../../../client/transport/orpc.ts';
import { showTargets, useOverlays } from '../../../state/overlays.ts';
import { MenuButton } from '../../../ui/popover/MenuButton.tsx';
import { deferredPart } from '../../../ui/page/deferredPart.ts';
import styles from '../shell.module.css';
import { targetWords } from '../targetWords.ts';
import { joinFacts } from '../../../language/sentences.ts';
import { t } from '../../../language/text.ts';

const TargetMenu = deferredPart(() => import('./TargetMenu.tsx'), { isNeeded: true });

const ICON = 13;

export function TargetChip() {
  const open = useOverlays((overlays) => overlays.targets);
  const { accountId, account, title, spends } = useTarget();
  const engine = useEngine((state) => state.status);
  const connection = useConnection(({ state }) => state);
  const { word, tone } = targetWords(account, engine, connection);
  const isHere = accountId === THIS_MACHINE;
  return (
    <MenuButton opened={open} onChange={showTargets} menu={TargetMenu}>
      <UnstyledButton
        className={styles.target}
        data-spends={spends || undefined}
        aria-keyshortcuts="Control+Shift+K Meta+Shift+K"
      >
        <VisuallyHidden>{t`Target: ${joinFacts(title, isHere ? t`engine ${word}` : word, spends && tone !== 'ok' && t`costs money`)}`}</VisuallyHidden>
        <i className={styles.dot} data-tone={tone} aria-hidden />
        <span className={styles.targetName} aria-hidden>
          {title}
        </span>
        {(tone !== 'ok' || spends) && (
          <span className={styles.targetState} aria-hidden>
            {word}
          </span>
        )}
        <ChevronDown size={ICON} aria-hidden />
      </UnstyledButton>
    </MenuButton>
  );
}
