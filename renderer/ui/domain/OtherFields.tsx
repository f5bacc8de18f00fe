/** Below what is known of a record: whatever else the service of the target tells, as JSON. */
import { useTarget } from '../../client/accounts.ts';
import { CopyButton } from '../primitives/CopyButton.tsx';
import { otherFields } from './otherFields.ts';
import overview from '../theme/overview.module.css';
import panel from '../theme/panel.module.css';

interface OtherFieldsProps {
  record: Readonly<Record<string, unknown>>;
  /** Those that have a place of their own. */
  known: readonly string[];
  /** What they are of, such as "template"; where a page tells of two records. */
  of?: string;
}

export function OtherFields({ record, known, of }: OtherFieldsProps) {
  const { account } = useTarget();
  const text = otherFields(record, known);
  // An engine of ours tells nothing that has no place here.
  if (text === null || account?.kind !== 'cloud') return null;
  const title = of === undefined ? 'Other fields' : `Other fields of the ${of}`;
  return (
    <section className={panel.block} aria-label={title}>
      <h3>{title}</h3>
      <div className={overview.code}>
        <pre tabIndex={0} aria-label={`${title} as JSON`} role="region">
          {text}
        </pre>
        <span>
          <CopyButton text={text} what={title.toLowerCase()} size={26} />
        </span>
      </div>
    </section>
  );
}
