/** A row of choices, of which one is on. No choice moves when another one is made. */
import { SegmentedControl, type SegmentedControlProps } from '@mantine/core';
import { BoldWidth } from './BoldWidth.tsx';
import styles from './segments.module.css';

interface SegmentsProps<Value extends string> extends Omit<SegmentedControlProps<Value>, 'data'> {
  /** `short`: its name where the longer one has no room in a narrow window. */
  data: readonly { value: Value; label: string; short?: string; disabled?: boolean }[];
}

export const Segments = <Value extends string>({ data, ...props }: SegmentsProps<Value>) => (
  <SegmentedControl
    {...props}
    data={data.map(({ label, short, ...item }) => ({
      ...item,
      label:
        short === undefined ? (
          <BoldWidth>{label}</BoldWidth>
        ) : (
          <>
            <span className={styles.long}>
              <BoldWidth>{label}</BoldWidth>
            </span>
            <span className={styles.short} aria-hidden>
              <BoldWidth>{short}</BoldWidth>
            </span>
          </>
        ),
    }))}
  />
);
