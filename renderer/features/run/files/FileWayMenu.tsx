/** The choice how files become part of the input. */
import { Menu, UnstyledButton } from '@mantine/core';
import styles from '../run.module.css';
import { filesAs, fileWays, type FileWay } from './inputFiles.ts';
import { rich, t } from '../../../language/text.ts';

const names: Record<FileWay, string> = {
  auto: t`base64 or a link`,
  base64: t`base64`,
  bucket: t`a link`,
};
const texts: Record<FileWay, string> = {
  auto: t`As base64 text in the request, or as a link to your bucket where they are too large`,
  base64: t`Always as base64 text in the request`,
  bucket: t`Always as a link to your bucket (Settings, Bucket)`,
};

export function FileWayMenu() {
  const way = filesAs.use();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <UnstyledButton
          className={styles.codeLink}
          title={t`How a file that you drop or insert here is sent`}
        >{rich`Files are sent as ${<b>{names[way]}</b>}`}</UnstyledButton>
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
