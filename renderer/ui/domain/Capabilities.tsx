/** The capabilities of an account as chips; missing ones with the reason. */
import { Check, X } from 'lucide-react';
import { accountCapabilities, type AccountCapability, type AccountLack } from '#contract/app/account.ts';
import { capabilityWords } from '../text/accountLabels.ts';
import pieces from '../theme/pieces.module.css';
import styles from './capabilities.module.css';
import { t } from '../../language/text.ts';

interface CapabilitiesProps {
  capabilities: readonly AccountCapability[];
  lacks: readonly AccountLack[];
  /** False while the account does not answer: they were so at the last check, which says nothing of now. */
  isCurrent?: boolean;
}

export function Capabilities({ capabilities, lacks, isCurrent = true }: CapabilitiesProps) {
  const missing = accountCapabilities.filter((name) => !capabilities.includes(name));
  const reasons = lacks.filter(({ capability }) => missing.includes(capability));
  return (
    <>
      <ul className={styles.chips} aria-label={t`What it can do`}>
        {accountCapabilities.map((name) => {
          const has = capabilities.includes(name);
          const Icon = has ? Check : X;
          return (
            <li key={name} className={pieces.chip} data-tone={has && isCurrent ? 'ok' : 'off'} data-quiet>
              <Icon
                size={12}
                strokeWidth={2.4}
                role="img"
                aria-label={isCurrent ? (has ? t`has` : t`lacks`) : has ? t`had` : t`lacked`}
              />
              {capabilityWords[name]}
            </li>
          );
        })}
      </ul>
      {reasons.length > 0 && (
        <dl className={styles.lacks}>
          {reasons.map(({ capability, reason }) => (
            <div key={capability}>
              <dt>{capabilityWords[capability]}</dt>
              <dd>{reason}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
