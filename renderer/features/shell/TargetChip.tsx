/** Where everything is sent: the account that is chosen, how it is doing, and the others. */
import { Menu, UnstyledButton } from '@mantine/core';
import { ChevronDown, CircleDollarSign } from 'lucide-react';
import { useAccounts, useTarget } from '../../client/accounts.ts';
import { useEngine } from '../../client/engine.ts';
import { useConnection } from '../../client/orpc.ts';
import { showTargets, useOverlays } from '../../state/overlays.ts';
import { chooseAccount } from '../../state/selection.ts';
import { accountTitle } from '../../ui/accountName.ts';
import { keyLabel } from '../../ui/keys.ts';
import styles from './shell.module.css';
import { targetWords } from './targetWords.ts';

const ICON = 13;

export function TargetChip() {
  const open = useOverlays((overlays) => overlays.targets);
  const accounts = useAccounts() ?? [];
  const { accountId, account, title, spends } = useTarget();
  const engine = useEngine((state) => state.status);
  const connected = useConnection((connection) => connection.state === 'open');
  const { word, tone } = targetWords(account, engine, connected);
  const isHere = account === null || account.kind === 'engine';
  return (
    <Menu opened={open} onChange={showTargets} position="bottom-start" width={320} withinPortal>
      <Menu.Target>
        <UnstyledButton
          className={styles.target}
          data-spends={spends || undefined}
          aria-label={`Target: ${title}, ${isHere ? 'engine ' : ''}${word}`}
          aria-keyshortcuts="Control+Shift+K Meta+Shift+K"
        >
          <i className={styles.dot} data-tone={tone} aria-hidden />
          <span className={styles.targetName}>{title}</span>
          {(tone !== 'ok' || spends) && <span className={styles.targetState}>{word}</span>}
          <ChevronDown size={ICON} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className={styles.targetsHead ?? ''}>
          Send everything to <kbd aria-hidden>{keyLabel('Mod+Shift+K')}</kbd>
        </Menu.Label>
        <Menu.RadioGroup value={accountId} onChange={chooseAccount}>
          {accounts.map((each) => {
            const state = targetWords(each, engine, connected);
            return (
              <Menu.RadioItem
                key={each.id}
                value={each.id}
                rightSection={each.kind === 'cloud' ? <CircleDollarSign size={ICON} aria-hidden /> : null}
              >
                <span className={styles.targetRow}>
                  <i className={styles.dot} data-tone={state.tone} aria-hidden />
                  <span className={styles.targetName}>{accountTitle(each.id, each.name)}</span>
                  <span className={styles.targetState}>{state.word}</span>
                </span>
              </Menu.RadioItem>
            );
          })}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
