/** The choice how files become part of the input. */
import { Menu, UnstyledButton } from '@mantine/core';
import styles from '../run.module.css';
import { filesAs, fileWays, type FileWay } from './inputFiles.ts';
import { rich, t } from '../../../language/text.ts';

const names: Record<FileWay, string> = {
  auto: t`base64 or link`,
  base64: t`base64`,
  bucket: t`bucket link`,
};
const texts: Record<FileWay, string> = {
  auto: t`Base64 if they fit into the request, otherwise a bucket link`,
  base64: t`Always base64, inside the request`,
  bucket: t`Always a link: the files go to the bucket`,
};

export function FileWayMenu() {
  const way = filesAs.use();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <UnstyledButton
          className={styles.codeLink}
          title={t`How files that you insert or drop become part of the input`}
        >{rich`Files as ${<b>{names[way]}</b>}`}</UnstyledButton>
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
