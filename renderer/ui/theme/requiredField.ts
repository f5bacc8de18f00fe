/** Marks required fields. */

/**
 * The properties of a field that a person must fill, because it has no usual value. In a form with several fields, each
 * such field has them. The other fields have no mark.
 */
export const requiredField = { withAsterisk: true, 'aria-required': true } as const;
