/** Every key there is, on one sheet. */
import { Kbd, Modal } from '@mantine/core';
import { closeShortcuts, useOverlays } from '../../state/overlays.ts';
import type { ShellPage } from '../../ui/page/definePage.tsx';
import { isApple, keyLabel } from '../../ui/primitives/shortcuts.ts';
import styles from './shell.module.css';

/** Elsewhere, Ctrl alone belongs to the shell. */
const inTerminal = isApple ? 'Mod' : 'Ctrl+Shift';

type Keys = readonly [keys: string, does: string];

const shellGroup = (pages: readonly ShellPage[]): { title: string; keys: readonly Keys[] } => ({
  title: 'Everywhere',
  keys: [
    ['Mod+K', 'Search or run a command'],
    ...pages.flatMap(({ title, key }): Keys[] => (key === null ? [] : [[key, `Go to ${title}`]])),
    ['Mod+Shift+K', 'Choose the target'],
    ['?', 'This sheet, also with Mod+/'],
    ['Esc', 'Back out one step'],
  ],
});

const pageGroups: readonly { title: string; keys: readonly Keys[] }[] = [
  {
    title: 'Run',
    keys: [
      ['Mod+Enter', 'Run'],
      ['Mod+.', 'Stop the job that is shown'],
    ],
  },
  {
    title: 'Jobs',
    keys: [
      ['↑ ↓', 'Move in the list'],
      ['Enter', 'Open the job'],
      ['Esc', 'Close the job'],
    ],
  },
  {
    title: 'Endpoints',
    keys: [
      ['↑ ↓', 'Move in the list'],
      ['Enter', 'Open the endpoint'],
      ['N', 'New endpoint'],
      ['Esc', 'Close the endpoint'],
    ],
  },
  {
    title: 'Pods',
    keys: [
      ['↑ ↓', 'Move in the list'],
      ['Enter', 'Open the Pod'],
      ['N', 'Deploy a Pod'],
      ['Esc', 'Close the Pod'],
    ],
  },
  {
    title: 'Terminals',
    keys: [
      [`${inTerminal}+C`, 'Copy what is selected'],
      [`${inTerminal}+V`, 'Paste'],
      [`${inTerminal}+F`, 'Find'],
    ],
  },
];

export function ShortcutSheet({ pages }: { pages: readonly ShellPage[] }) {
  const open = useOverlays((overlays) => overlays.shortcuts);
  return (
    <Modal opened={open} onClose={closeShortcuts} title="Keyboard shortcuts" size={480}>
      {[shellGroup(pages), ...pageGroups].map(({ title, keys }) => (
        <section key={title} className={styles.keys}>
          <h3>{title}</h3>
          <dl>
            {keys.map(([key, does]) => (
              <div key={key}>
                <dt>{does.replace('Mod', keyLabel('Mod'))}</dt>
                <dd>
                  <Kbd>{keyLabel(key)}</Kbd>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Modal>
  );
}
