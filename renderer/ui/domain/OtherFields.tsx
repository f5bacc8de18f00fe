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
  /** The name of the record, such as "template", if a page shows two records. */
  of?: string;
}

export function OtherFields({ record, known, of }: OtherFieldsProps) {
  const { account } = useTarget();
  const text = otherFields(record, known);
  // The page knows every field of an engine of Hangar.
  if (text === null || account?.kind !== 'cloud') return null;
  const title = of === undefined ? t`Other fields` : t`Other fields of the ${of}`;
  return (
    <section className={panel.block} aria-label={title}>
      <h3>{title}</h3>
      <div className={overview.code}>
        <pre tabIndex={0} aria-label={t`${title} as JSON`} role="region">
          <CodeText language="JSON" text={text} />
        </pre>
        <CopyButton text={text} what={title.toLowerCase()} size={26} />
      </div>
    </section>
  );
}
