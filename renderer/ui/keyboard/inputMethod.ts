/** Keys that belong to an input method, with which people write Chinese, Japanese or Korean. */

/** The code that browsers give a key which an input method handles. */
const HANDLED_BY_INPUT_METHOD = 229;

/**
 * Whether an input method handles this key, such as the Enter that accepts a word. The page must not act on it. Safari
 * ends the composition before that key, so only the code tells it there.
 */
// oxlint-disable-next-line typescript/no-deprecated -- Safari tells it by nothing else
export const isOfInputMethod = ({ isComposing, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean =>
  isComposing || keyCode === HANDLED_BY_INPUT_METHOD;
