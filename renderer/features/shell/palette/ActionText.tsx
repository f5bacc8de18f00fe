/** The content of an action in the palette, with the letters that match marked. It has the classes of Mantine's own. */
import { Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import type { PaletteMatch } from './search.ts';
import styles from '../shell.module.css';

const { classes } = Spotlight;
const classOf = (part: 'actionBody' | 'actionLabel' | 'actionDescription' | 'actionSection', own = ''): string =>
  `mantine-Spotlight-${part} ${classes[part] ?? ''} ${own}`;

function Side({ position, children }: { position: 'left' | 'right'; children: SpotlightActionData['leftSection'] }) {
  if (children == null) return null;
  return (
    <span className={classOf('actionSection', styles.paletteSection)} data-position={position} data-dimmed>
      {children}
    </span>
  );
}

export function ActionText({ action: { label = '', description, leftSection, rightSection }, marks }: PaletteMatch) {
  return (
    <>
      <Side position="left">{leftSection}</Side>
      <span className={classOf('actionBody', styles.paletteBody)}>
        <span className={classOf('actionLabel', styles.paletteLabel)}>{marked(label, marks)}</span>
        <span className={classOf('actionDescription', styles.paletteDescription)}>{description}</span>
      </span>
      <Side position="right">{rightSection}</Side>
    </>
  );
}

/** `marks`: beginnings and ends, in turns. */
function marked(text: string, marks: readonly number[]) {
  const cuts = [0, ...marks, text.length];
  return cuts.slice(0, -1).map((from, index) => {
    const part = text.slice(from, cuts[index + 1]);
    if (part === '') return null;
    if (index % 2 === 0) return part;
    return (
      <mark key={from} className={styles.paletteMark}>
        {part}
      </mark>
    );
  });
}
