/** The head of an inspector: a name, its state, its actions, and the button that closes the inspector. */
import type { ReactNode } from 'react';
import { ActionIcon, Tooltip } from '@mantine/core';
import { Link, X } from 'lucide-react';
import styles from '../theme/inspector.module.css';
import { copyLink } from './copyLink.ts';
import { useOpenName } from './PageTitle.tsx';
import { t } from '../../language/text.ts';

interface InspectorHeadProps {
  name: string;
  /** What is shown, such as "Pod". */
  what: string;
  /** The chip of its state, and other marks beside the name. */
  marks: ReactNode;
  /** More about it, behind the marks. Without room there, it goes below the name. */
  facts?: ReactNode;
  /** Whether the address of the window leads back to it. */
  hasLink?: boolean;
  /** The buttons. Without room beside the name, they go below it. */
  children: ReactNode;
  onClose: () => void;
}

export function InspectorHead({ name, what, marks, facts, hasLink = false, children, onClose }: InspectorHeadProps) {
  useOpenName(name);
  return (
    <header className={styles.inspectorHead}>
      <div className={styles.headRows}>
        <div className={styles.headParts}>
          <div className={styles.headName}>
            <h2 title={name}>{name}</h2>
            {marks}
            {facts}
          </div>
          <div className={styles.headActions}>{children}</div>
        </div>
        <div className={styles.headEnd}>
          {hasLink && (
            <Tooltip label={t`Copy the link to this ${what}`}>
              <ActionIcon aria-label={t`Copy the link to this ${what}`} onClick={copyLink}>
                <Link size={13} aria-hidden />
              </ActionIcon>
            </Tooltip>
          )}
          <Tooltip label={t`Close (Esc)`}>
            <ActionIcon aria-label={t`Close the ${what}`} onClick={onClose}>
              <X size={14} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </div>
      </div>
    </header>
  );
}
