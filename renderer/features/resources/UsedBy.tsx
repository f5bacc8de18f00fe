/** The uses of a resource, in words. */
import type { ResourceUse } from '#contract/bridge/resource.ts';
import styles from '../../ui/theme/resources.module.css';
import { t } from '../../language/text.ts';

const textsOf: Record<ResourceUse['kind'], (name: string) => string> = {
  endpoint: (name) => t`endpoint ${name}`,
  pod: (name) => t`Pod ${name}`,
  template: (name) => t`template ${name}`,
};

export const textOfUse = ({ kind, name }: ResourceUse): string => textsOf[kind](name);

const SHOWN = 2;

export function UsedBy({ usedBy }: { usedBy: readonly ResourceUse[] }) {
  if (usedBy.length === 0) return <span className={styles.faint}>{t`nothing`}</span>;
  const rest = usedBy.length - SHOWN;
  const shown = usedBy.slice(0, SHOWN).map(textOfUse).join(', ');
  return <span title={usedBy.map(textOfUse).join(', ')}>{rest > 0 ? t`${shown} and ${rest} more` : shown}</span>;
}
