/** Typing into several terminals at once. */

/**
 * What xterm sends by itself: answers to questions of a program (attributes, cursor position, colours, sizes, images),
 * reports of the mouse and of the focus. Each belongs to the program in its own terminal.
 */
const OWN_ANSWER = /^\u001b(\[[?>]?[\d;]*[cnt]|\[\?[\d;]+S|\[\??\d+;\d+R|\]|P|\[<|\[M|\[[IO]$)/;

/** Whether a person typed this, so that other terminals may get it, too. */
export const isTypedByPerson = (data: string): boolean => !OWN_ANSWER.test(data);
