/** The choice how files become part of the input. */
import { Menu, UnstyledButton } from '@mantine/core';
import styles from '../run.module.css';
import { filesAs, fileWays, type FileWay } from './inputFiles.ts';
import { rich, t } from '../../../language/text.ts';

const names: Record<FileWay, string> = {
  auto: t`text or a link`,
  base64: t`text`,
  bucket: t`a link`,
};
const texts: Record<FileWay, string> = {
  auto: t`Text within the request (base64) if they fit, otherwise a link to your bucket`,
  base64: t`Always text within the request (base64)`,
  bucket: t`Always a link: the files go to your bucket (Settings, Bucket)`,
};

export function FileWayMenu() {
  const way = filesAs.use();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <UnstyledButton
          className={styles.codeLink}
          title={t`How files that you insert or drop become part of the input`}
        >{rich`Files become ${<b>{names[way]}</b>}`}</UnstyledButton>
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
