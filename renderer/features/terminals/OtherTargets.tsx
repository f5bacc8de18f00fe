/** The terminals that are open on other targets: they stay open, and one click shows them. */
import { useAccounts } from '../../client/accounts.ts';
import { targetAccount } from '../../state/selection.ts';
import { accountInSentence } from '../../ui/text/accountName.ts';
import { layoutNow } from '../../ui/terminal/terminalStore.ts';
import styles from './terminals.module.css';
import { t } from '../../language/text.ts';

export function OtherTargets({ accountId }: { accountId: string }) {
  const accounts = useAccounts() ?? [];
  return accounts
    .filter(({ id }) => id !== accountId)
    .map(({ id, name }) => {
      const count = layoutNow(id).tabs.length;
      return (
        count > 0 && (
          <button
            key={id}
            type="button"
            className={styles.elsewhere}
            title={t`They stay open. A click changes the target and shows them.`}
            onClick={() => targetAccount.set(id)}
          >
            {t`${count} on ${accountInSentence(id, name)}`}
          </button>
        )
      );
    });
}
