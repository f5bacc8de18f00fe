/** The choice how files become part of the input. */
import { Menu, UnstyledButton } from '@mantine/core';
import styles from '../run.module.css';
import { filesAs, fileWays, type FileWay } from './inputFiles.ts';
import { rich, t } from '../../../language/text.ts';

const names: Record<FileWay, string> = {
  auto: t`automatic`,
  base64: t`as base64`,
  bucket: t`in the bucket`,
};
const texts: Record<FileWay, string> = {
  auto: t`Automatic: base64 if they fit into the request, otherwise the bucket`,
  base64: t`As base64, inside the request`,
  bucket: t`In the bucket: the input gets an address`,
};

export function FileWayMenu() {
  const way = filesAs.use();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <UnstyledButton className={styles.codeLink}>{rich`Files: ${(<b>{names[way]}</b>)}`}</UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={way} onChange={(value) => filesAs.set(fileWays.find((one) => one === value) ?? 'auto')}>
          {fileWays.map((one) => (
            <Menu.RadioItem key={one} value={one} closeMenuOnClick>
              {texts[one]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
