/** The refusal of a transfer. */

/**
 * A transfer cannot be what was asked for, such as of a file that was changed meanwhile. Its message is for a person.
 */
export class TransferRefused extends Error {}
