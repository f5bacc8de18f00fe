/** The target account with its state, and the menu of other accounts. */
import { Menu, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { ChevronDown, CircleDollarSign, CircleUser, Plus } from 'lucide-react';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { useAccounts, useTarget } from '../../client/accounts.ts';
import { useEngine } from '../../client/engine.ts';
import { useConnection } from '../../client/transport/orpc.ts';
import { showNewAccount, showTargets, useOverlays } from '../../state/overlays.ts';
import { navigate } from '../../state/route.ts';
import { targetAccount } from '../../state/selection.ts';
import { accountTitle } from '../../ui/text/accountName.ts';
import { keyLabel } from '../../ui/keyboard/shortcuts.ts';
import styles from './shell.module.css';
import { targetWords } from './targetWords.ts';
import { t } from '../../language/text.ts';

const ICON = 13;

export function TargetChip() {
  const open = useOverlays((overlays) => overlays.targets);
  const accounts = useAccounts() ?? [];
  const { accountId, account, title, spends } = useTarget();
  const engine = useEngine((state) => state.status);
  const connected = useConnection((connection) => connection.state === 'open');
  const { word, tone } = targetWords(account, engine, connected);
  const isHere = accountId === THIS_MACHINE;
  return (
    <Menu opened={open} onChange={showTargets} position="bottom-start" width={320} withinPortal>
      <Menu.Target>
        <UnstyledButton
          className={styles.target}
          data-spends={spends || undefined}
          aria-keyshortcuts="Control+Shift+K Meta+Shift+K"
        >
          <VisuallyHidden>{t`Target: ${title}, ${isHere ? t`engine ` : ''}${word}${spends && tone !== 'ok' ? t`, costs money` : ''}`}</VisuallyHidden>
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
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className={styles.targetsHead ?? ''}>
          {t`Send everything to`} <kbd aria-hidden>{keyLabel('Mod+Shift+K')}</kbd>
        </Menu.Label>
        <Menu.RadioGroup value={accountId} onChange={(id) => targetAccount.set(id)}>
          {accounts.map((each) => {
            const state = targetWords(each, engine, connected);
            return (
              <Menu.RadioItem
                key={each.id}
                value={each.id}
                closeMenuOnClick
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
        <Menu.Divider />
        <Menu.Item
          leftSection={<Plus size={ICON} aria-hidden />}
          onClick={() => {
            navigate({ page: 'accounts', accountId: null });
            showNewAccount(true);
          }}
        >{t`Add an account`}</Menu.Item>
        <Menu.Item
          leftSection={<CircleUser size={ICON} aria-hidden />}
          onClick={() => navigate({ page: 'accounts', accountId: null })}
        >{t`All accounts`}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
