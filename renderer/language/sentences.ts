type MaybeText = string | false | null | undefined;

const isText = (text: MaybeText): text is string => typeof text === 'string' && text !== '';

/**
 * Sentences after each other, without those that do not apply. Each is a text of its own, so that it can be translated.
 */
export const joinSentences = (...texts: readonly MaybeText[]): string => texts.filter(isText).join(' ');

/** Facts after each other, as "3 of 4 free, stock Medium". */
export const joinFacts = (...texts: readonly MaybeText[]): string => texts.filter(isText).join(', ');
