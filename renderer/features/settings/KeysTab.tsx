/** All keys on one page: those that programs send to an engine, and those that Hangar sends to other accounts. */
import { BrowserPairing } from './apiKeys/BrowserPairing.tsx';
import { ApiKeys } from './apiKeys/ApiKeys.tsx';
import { AccountKeys } from './secrets/AccountKeys.tsx';
import { KeyStore } from './secrets/KeyStore.tsx';
import pieces from '../../ui/theme/pieces.module.css';
import styles from './settings.module.css';
import { t } from '../../language/text.ts';

export function KeysTab() {
  return (
    <div className={`${styles.body} ${pieces.inOrder}`} tabIndex={0} role="region" aria-label={t`Keys`}>
      <ApiKeys />
      <BrowserPairing />
      <AccountKeys />
      <KeyStore />
    </div>
  );
}
