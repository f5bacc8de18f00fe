/** Unknown fields of a record as JSON, below the known ones. */
import { useTarget } from '../../client/accounts.ts';
import { CodeText } from '../code/CodeText.tsx';
import { CopyButton } from '../primitives/CopyButton.tsx';
import { otherFields } from './otherFields.ts';
import overview from '../theme/overview.module.css';
import panel from '../theme/panel.module.css';
import { t } from '../../language/text.ts';

interface OtherFieldsProps {
  record: Readonly<Record<string, unknown>>;
  /** Fields that the page shows elsewhere. */
  known: readonly string[];
  /** Whether it is the template of the record that the page shows. */
  isTemplate?: boolean;
}

export function OtherFields({ record, known, isTemplate = false }: OtherFieldsProps) {
  const { account } = useTarget();
  const text = otherFields(record, known);
  // The page knows every field of an engine of Hangar.
  if (text === null || account?.kind !== 'cloud') return null;
  const title = isTemplate ? t`Other fields of the template` : t`Other fields`;
  return (
    <section className={panel.block} aria-label={title}>
      <h3>{title}</h3>
      <div className={overview.code}>
        <pre tabIndex={0} aria-label={t`${title} as JSON`} role="region">
          <CodeText language="JSON" text={text} />
        </pre>
        <CopyButton
          text={text}
          label={isTemplate ? t`Copy other fields of the template` : t`Copy other fields`}
          size={26}
        />
      </div>
    </section>
  );
}
