/** A link that opens a folder of a Pod in VS Code over SSH. */
import type { SshWay } from '#contract/app/ssh.ts';
import { t } from '../../../language/text.ts';
import styles from './connect.module.css';

interface VscodeLinkProps extends Pick<SshWay, 'username' | 'host' | 'port'> {
  /** In the Pod: an absolute path. */
  folder: string;
}

/** "/data set" → "/data%20set". */
const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

export const VscodeLink = ({ username, host, port, folder }: VscodeLinkProps) => (
  <a
    className={styles.link}
    href={`vscode://vscode-remote/ssh-remote+${username}@${host}:${port}${encoded(folder)}`}
    target="_blank"
    rel="noopener"
    title={t`Needs VS Code with the extension Remote - SSH on this computer.`}
  >{t`Open in VS Code`}</a>
);
