/** Entry of the desktop app; its bundle lies two folders below the root. */
import { resolve } from 'node:path';
import { runDesktop } from './hosts/electron/app.ts';

runDesktop(resolve(import.meta.dirname, '../..'));
