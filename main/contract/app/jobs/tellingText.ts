/** Which text of a job's input says by itself what the job is about. */

/** Names of fields that say what a person wants, the clearest first. */
export const tellingFields = [
  'prompt',
  'text',
  'query',
  'question',
  'message',
  'instruction',
  'content',
  'title',
  'name',
  'url',
] as const;

/** A shorter text of another field, such as a label or a voice, says nothing without the name of its field. */
const TELLING_LENGTH = 12;

const names = new Set<string>(tellingFields);

/** `field`: the name of the field of the input that has this text. */
export const isTellingText = (field: string, text: string): boolean =>
  names.has(field) || text.length >= TELLING_LENGTH;
