/** Copies the address of the window, which leads back to what it shows. */
import { copyText } from '../clipboard/copyText.ts';
import { t } from '../../language/text.ts';

export const copyLink = (): void => void copyText(location.href, t`Copied link`);
