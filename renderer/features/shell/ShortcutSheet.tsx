/** All shortcuts on one sheet. */
import { Kbd, Modal } from '@mantine/core';
import { pageCommands } from '#contract/app/hostMessage.ts';
import { useFocusBack } from '../../ui/keyboard/useFocusBack.ts';
import { translated } from '../../language/text.ts';
import { closeShortcuts, useOverlays } from '../../state/overlays.ts';
import type { ShellPage } from '../../ui/page/definePage.tsx';
import { isApple, keyLabel } from '../../ui/keyboard/shortcuts.ts';
import { terminalKeys } from '../../ui/page/terminalKeys.ts';
import styles from './shell.module.css';
import { t } from '../../language/text.ts';

/** On other systems, Ctrl alone belongs to the shell. */
const inTerminal = isApple ? 'Mod' : 'Ctrl+Shift';

type Keys = readonly [keys: string, does: string];

const shellGroup = (pages: readonly ShellPage[]): { title: string; keys: readonly Keys[] } => ({
  title: t`Everywhere`,
  keys: [
    [pageCommands.palette.key, translated(pageCommands.palette.title)],
    ...pages.flatMap(({ title, key }): Keys[] => (key === null ? [] : [[key, t`Go to ${title}`]])),
    [pageCommands.targets.key, translated(pageCommands.targets.title)],
    ['?', t`Show these shortcuts, also Mod+/`],
    ['Esc', t`Go back one step`],
  ],
});

const pageGroups: readonly { title: string; keys: readonly Keys[] }[] = [
  {
    title: t`Run`,
    keys: [
      ['Mod+Enter', t`Run`],
      ['Mod+.', t`Stop the job`],
      ['Mod+Enter', t`Run the list of a batch`],
      ['Mod+.', t`Stop the batch`],
      ['Mod+Enter', t`Run all columns of a comparison`],
      ['Mod+.', t`Stop all columns of a comparison`],
      ['Enter', t`Send the message of a chat, also Mod+Enter`],
      ['Mod+.', t`Stop the answer of a chat`],
    ],
  },
  {
    title: t`Jobs`,
    keys: [
      ['↑ ↓', t`Move in the list`],
      ['Enter', t`Open the job`],
      ['Space', t`Select the job`],
      ['Shift+↑ ↓', t`Select several jobs (also Shift+click)`],
      ['Mod+A', t`Select all jobs`],
      ['Mod+F', t`Find in jobs`],
      ['Esc', t`Clear the selection, or close the job`],
    ],
  },
  {
    title: t`Endpoints`,
    keys: [
      ['↑ ↓', t`Move in the list`],
      ['Enter', t`Open the endpoint`],
      ['Shift+F10', t`Open the menu of the endpoint (also right click)`],
      ['N', t`New endpoint`],
      ['Esc', t`Close the endpoint`],
    ],
  },
  {
    title: t`Pods`,
    keys: [
      ['↑ ↓', t`Move in the list`],
      ['Enter', t`Open the Pod`],
      ['Space', t`Select the Pod`],
      ['Shift+↑ ↓', t`Select several Pods (also Shift+click)`],
      ['Mod+A', t`Select all Pods`],
      ['Shift+F10', t`Open the menu of the Pod (also right click)`],
      ['N', t`Deploy a Pod`],
      ['Esc', t`Clear the selection, or close the Pod`],
    ],
  },
  {
    title: t`Terminals`,
    keys: [
      [`${inTerminal}+C`, t`Copy what is selected`],
      [`${inTerminal}+V`, t`Paste`],
      [terminalKeys.find, t`Find`],
      [terminalKeys.open, t`New terminal in the same place`],
      [terminalKeys.splitRow, t`Split side by side`],
      [terminalKeys.splitColumn, t`Split top and bottom`],
      [terminalKeys.alone, t`Zoom this terminal: show it alone, or all panes again`],
      [terminalKeys.nextPane, t`Next pane`],
      [terminalKeys.previousPane, t`Previous pane`],
      [terminalKeys.nextTab, t`Next tab`],
      [terminalKeys.previousTab, t`Previous tab`],
      [terminalKeys.close, t`Close the terminal and end its shell`],
      [terminalKeys.larger, t`Larger text`],
      [terminalKeys.smaller, t`Smaller text`],
      [terminalKeys.usual, t`Default text size`],
      ['Mod+Shift+P', t`Search or run a command, because the shell gets Mod+K`],
    ],
  },
];

export default function ShortcutSheet({ pages }: { pages: readonly ShellPage[] }) {
  const open = useOverlays((overlays) => overlays.shortcuts);
  useFocusBack(open);
  return (
    <Modal opened={open} onClose={closeShortcuts} title={t`Keyboard shortcuts`} size={480}>
      {[shellGroup(pages), ...pageGroups].map(({ title, keys }) => (
        <section key={title} className={styles.keys}>
          <h3>{title}</h3>
          <dl>
            {keys.map(([key, does]) => (
              <div key={does}>
                <dt>{does.replace(/Mod\+\S+/, keyLabel)}</dt>
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
