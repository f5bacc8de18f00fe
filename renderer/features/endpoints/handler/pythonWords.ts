/** The Python of a handler in words. */
import { PYTHON_VARIABLE, type HandlerPython } from '#contract/local/folder.ts';

const OF_MACHINE = 'this machine';

/** Why it is this one, as a sentence. */
export function originOf({ from }: Pick<HandlerPython, 'from'>): string {
  return from === OF_MACHINE
    ? 'It is the one of this machine: the folder names no other.'
    : `It comes from ${from}${/[.!?]$/.test(from) ? '' : '.'}`;
}

export const PYTHON_HELP = `A program, the folder of an environment, or the name of a conda environment; kept as ${PYTHON_VARIABLE} in the template. Empty: Hangar chooses.`;
