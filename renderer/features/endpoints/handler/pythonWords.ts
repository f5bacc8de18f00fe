/** The Python of a handler in words. */
import { PYTHON_VARIABLE, type HandlerPython } from '#contract/local/folder.ts';
import { t } from '../../../language/text.ts';

const OF_MACHINE = t`this machine`;

/** Why it is this one, as a sentence. */
export function originOf({ from }: Pick<HandlerPython, 'from'>): string {
  return from === OF_MACHINE
    ? t`The default on this machine. The folder does not name another.`
    : t`It comes from ${from}${/[.!?]$/.test(from) ? '' : '.'}`;
}

export const PYTHON_HELP = t`A program, the folder of an environment, or the name of a conda environment; stored as ${PYTHON_VARIABLE} in the template. If empty, Hangar chooses.`;
