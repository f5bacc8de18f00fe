/** Copies the address of the window, which leads back to what it shows. */
import { announce } from '../primitives/announce.tsx';
import { t } from '../../language/text.ts';

export const copyLink = (): void =>
  void navigator.clipboard.writeText(location.href).then(() => announce(t`Copied link`));
