/** A field that says why it cannot be changed now: it stays reachable with the keyboard, unlike a disabled one. */
import { cloneElement, type ReactElement } from 'react';
import { Tip } from './Tip.tsx';
import styles from './reasonField.module.css';

interface ReasonFieldProps {
  /** Null while it can be changed. */
  whyNot: string | null;
  /** What it does, for a tooltip while it can be changed. */
  hint?: string | undefined;
  /** Of the box round the field. */
  className?: string | undefined;
  /**
   * A switch, a checkbox, a text or number field, a list of choices or a segmented control, with a value of its owner.
   */
  children: ReactElement<object>;
}

const ignore = (): void => undefined;

/** The properties of a field that cannot be changed; a screen reader says the reason with its name. */
const unusable = (whyNot: string) => ({
  'aria-disabled': true,
  'aria-description': whyNot,
  readOnly: true,
  onChange: ignore,
});

export function ReasonField({ whyNot, hint, className, children }: ReasonFieldProps) {
  const words = whyNot ?? hint;
  return (
    <Tip label={words ?? ''} disabled={words === undefined}>
      <div className={`${styles.field} ${className ?? ''}`}>
        {whyNot === null ? children : cloneElement(children, unusable(whyNot))}
      </div>
    </Tip>
  );
}
