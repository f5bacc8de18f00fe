/** The accounts that can be the target, and the way to the page of accounts. */
import { Menu } from '@mantine/core';
import { CircleDollarSign, CircleUser, Plus } from 'lucide-react';
import { useAccounts } from '../../../client/accounts.ts';
import { useEngine } from '../../../client/engine.ts';
import { useConnection } from '../../../client/transport/orpc.ts';
import { showNewAccount } from '../../../state/overlays.ts';
import { navigate } from '../../../state/route.ts';
import { targetAccount } from '../../../state/selection.ts';
import { AnchoredMenu, type AnchoredProps } from '../../../ui/popover/AnchoredMenu.tsx';
import { accountTitle } from '../../../ui/text/accountName.ts';
import { keyLabel } from '../../../ui/keyboard/shortcuts.ts';
import styles from '../shell.module.css';
import { targetWords } from '../targetWords.ts';
import { t } from '../../../language/text.ts';

const ICON = 13;

export default function TargetMenu(anchored: AnchoredProps) {
  const accounts = useAccounts() ?? [];
  const accountId = targetAccount.use();
  const engine = useEngine((state) => state.status);
  const connection = useConnection(({ state }) => state);
  return (
    <AnchoredMenu {...anchored} position="bottom-start" width={320}>
      <Menu.Label className={styles.targetsHead ?? ''}>
        {t`Where everything is sent`} <kbd aria-hidden>{keyLabel('Mod+Shift+K')}</kbd>
      </Menu.Label>
      <Menu.RadioGroup value={accountId} onChange={(id) => targetAccount.set(id)}>
        {accounts.map((each) => {
          const state = targetWords(each, engine, connection);
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
    </AnchoredMenu>
  );
}
